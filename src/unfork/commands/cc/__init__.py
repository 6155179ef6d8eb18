"""The compiler of whole builds."""
