# juryrank serve, as a user of its own. Build: docker build -t juryrank:local .
ARG PYTHON=python:3.13-slim-trixie
FROM ${PYTHON} AS build
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src src
RUN python -m venv /opt/juryrank \
    && /opt/juryrank/bin/pip install --no-cache-dir --disable-pip-version-check -c constraints.txt \
       '.[server,votes]'

FROM ${PYTHON}
RUN groupadd --gid 10001 juryrank \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin juryrank \
    && install -d -o juryrank -g juryrank -m 0700 /data
COPY --from=build /opt/juryrank /opt/juryrank
ENV PATH=/opt/juryrank/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 JURYRANK_STORAGE=sqlite:////data/juryrank.db
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz/write', timeout=4)"]
ENTRYPOINT ["juryrank"]
CMD ["serve", "--port", "8000"]
