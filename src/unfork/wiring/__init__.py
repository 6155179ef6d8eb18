"""Where the parts are put together: the only place where a name in Options meets the class that it stands for."""
