# The app as an image: `docker build -t privacy-trade-offs .`; compose.yaml runs it behind a proxy. See docs/deployment.md.
# What belongs to it is listed in .dockerignore.

ARG PYTHON=3.13.9-slim-trixie

# Packages are installed here, from wheels only: no compiler is needed, and pip's leftovers stay behind. The project's own
# component is one of them: Streamlit serves the files of installed packages only.
FROM python:${PYTHON} AS packages
WORKDIR /build
COPY requirements.txt .
RUN python -m pip install --no-cache-dir --only-binary=:all: --prefix=/packages -r requirements.txt
COPY people_view people_view
RUN python -m pip install --no-cache-dir --no-deps --prefix=/packages ./people_view

FROM python:${PYTHON}
RUN python -m pip uninstall --yes pip \
    && useradd --system --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin app
COPY --from=packages /packages /usr/local

# The app's folder belongs to root: the app cannot change its own code. It is compiled here, so that nothing has to be
# written when it runs.
WORKDIR /app
COPY . .
RUN python -m compileall -q -j 0 .
USER 10001

# One thread for linear algebra: sessions share the cores, and so do the replicas of this image.
ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    OMP_NUM_THREADS=1 \
    OPENBLAS_NUM_THREADS=1 \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_PORT=8501 \
    STREAMLIT_SERVER_ALLOWED_HOSTS=* \
    STREAMLIT_SERVER_HEADLESS=true

EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/health', timeout=4)"]
CMD ["python", "-m", "streamlit", "run", "app.py"]
