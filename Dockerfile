# docker build -t unfork . && docker run --rm -v "$PWD:/work" unfork run program.c
FROM python:3.12-slim
COPY pyproject.toml hatch_build.py README.md LICENSE /src/
COPY cmake /src/cmake
COPY docs/unfork.1 /src/docs/unfork.1
COPY src /src/src
RUN pip install --no-cache-dir /src && unfork cache build
WORKDIR /work
ENTRYPOINT ["unfork"]
CMD ["--help"]
