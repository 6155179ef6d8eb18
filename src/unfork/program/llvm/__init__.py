"""C as LLVM's instructions: compiling, linking, passes, reading."""
