# Every text that explains something.
run --version
run --help
run info --help
run cast --help
run los --help
run
run fly
