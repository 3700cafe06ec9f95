"""A server of object storage on this machine, on loopback, with a bucket; it ends with the block."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from minio import Minio

from annotation.kernel.store.objects import Bucket

SERVER = Path(__file__).resolve().parents[1] / ".venv-s3" / "bin" / "moto_server"
PATIENCE = 60.0  # seconds


@contextmanager
def storage_server(log: Path) -> Iterator[Bucket]:
    port = free_port()
    with log.open("wb") as output:
        command = [str(SERVER), "-H", "127.0.0.1", "-p", str(port)]
        server = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            _wait_for(port, server)
            bucket = Bucket("files", f"http://127.0.0.1:{port}", "us-east-1", "key", "secret")
            client_of(bucket).make_bucket(bucket.name)
            yield bucket
        finally:
            server.terminate()
            server.wait(timeout=PATIENCE)


def client_of(bucket: Bucket) -> Minio:
    host = bucket.endpoint.removeprefix("http://")
    return Minio(host, access_key=bucket.key_id, secret_key=bucket.secret, secure=False, region=bucket.region)


def free_port() -> int:
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        with closing(socket.socket()) as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server of object storage did not start; see its log")
