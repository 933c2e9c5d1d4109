"""A WebSocket server for tests (RFC 6455): echoes frames, answers pings, and closes when it is told "close".

Prints its port, and ends with its standard input.
"""
import base64
import hashlib
import os
import socket
import struct
import sys
import threading

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def exactly(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def frame(opcode, payload):
    if len(payload) < 126:
        length = bytes([len(payload)])
    elif len(payload) < 1 << 16:
        length = b"\x7e" + struct.pack(">H", len(payload))
    else:
        length = b"\x7f" + struct.pack(">Q", len(payload))
    return bytes([0x80 | opcode]) + length + payload


def read(connection):
    first, second = exactly(connection, 2)
    length = second & 0x7F
    if length == 126:
        length = struct.unpack(">H", exactly(connection, 2))[0]
    elif length == 127:
        length = struct.unpack(">Q", exactly(connection, 8))[0]
    mask = exactly(connection, 4) if second & 0x80 else b"\0\0\0\0"
    payload = exactly(connection, length)
    return first & 0x0F, bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))


def serve(connection):
    try:
        head = b""
        while b"\r\n\r\n" not in head:
            head += exactly(connection, 1)
        key = [line.split(b":", 1)[1].strip() for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key")]
        if not key:
            connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        accept = base64.b64encode(hashlib.sha1(key[0] + GUID).digest())
        connection.sendall(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
            + accept + b"\r\n\r\n")
        while True:
            opcode, payload = read(connection)
            if opcode == 9:
                connection.sendall(frame(10, payload))
            elif opcode == 8 or payload == b"close":
                connection.sendall(frame(8, struct.pack(">H", 1000) + b"bye"))
                return
            elif opcode in (1, 2):
                connection.sendall(frame(opcode, payload))
    except (EOFError, OSError):
        pass
    finally:
        connection.close()


def accept(listener):
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=accept, args=(listener,), daemon=True).start()
print(listener.getsockname()[1], flush=True)
sys.stdin.read()
os._exit(0)
