"""Two states become one."""
