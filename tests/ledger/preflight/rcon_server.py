"""A small server that speaks RCON, as a game's server does; a program of its own.

It takes ports and password from its environment, and from its arguments how it should misbehave:
``mute`` never listens, ``dies`` ends at once, ``deaf`` does not stop, ``cross`` stops with 3,
``orphan`` leaves a child behind that keeps its port, ``strict`` takes another password.
"""

import os
import socket
import struct
import subprocess
import sys
import time

LOGIN, COMMAND, REPLY = 3, 2, 0


def main(manner: str) -> int:
    """Serve one client after the other until one of them says stop."""
    game, rcon = int(os.environ["LAB_GAME"]), int(os.environ["LAB_RCON"])
    password = "another one" if manner == "strict" else os.environ["LAB_RCON_PASSWORD"]
    print(f"starting {os.environ['LAB_NAME']} with password {password}", flush=True)
    if manner == "dies":
        return 4
    if manner == "mute":
        time.sleep(600)
    with listening(game), listening(rcon) as listener:
        print(f"RCON running on port {rcon}", flush=True)
        while True:
            client, _ = listener.accept()
            with client:
                if converse(client, password, manner):
                    break
        if manner == "orphan":
            keep = "import time; time.sleep(5)"
            subprocess.Popen(
                [sys.executable, "-c", keep], pass_fds=[listener.fileno()], start_new_session=True
            )
    print("stopped", flush=True)
    return 3 if manner == "cross" else 0


def listening(port: int) -> socket.socket:
    """Return a socket that listens at a port of this machine."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen()
    return listener


def converse(client: socket.socket, password: str, manner: str) -> bool:
    """Answer one client; return whether he said stop."""
    logged_in = False
    while (packet := receive(client)) is not None:
        number, kind, text = packet
        if kind == LOGIN:
            logged_in = text == password
            send(client, number if logged_in else -1, COMMAND, "")
        elif kind == COMMAND and logged_in:
            print(f"[{text}]", flush=True)
            if text == "stop" and manner != "deaf":
                send(client, number, REPLY, "Stopping the server")
                return True
            send(client, number, REPLY, "There are 0 of a max of 20 players online: ")
    return False


def receive(client: socket.socket) -> tuple[int, int, str] | None:
    """Return number, kind and text of a packet; None at the end."""
    head = client.recv(4, socket.MSG_WAITALL)
    if len(head) < 4:
        return None
    body = client.recv(struct.unpack("<i", head)[0], socket.MSG_WAITALL)
    number, kind = struct.unpack("<ii", body[:8])
    return number, kind, body[8:-2].decode()


def send(client: socket.socket, number: int, kind: int, text: str) -> None:
    """Send a packet."""
    body = struct.pack("<ii", number, kind) + text.encode() + b"\0\0"
    client.sendall(struct.pack("<i", len(body)) + body)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "well"))
