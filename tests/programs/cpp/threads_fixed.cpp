// expect: safe
