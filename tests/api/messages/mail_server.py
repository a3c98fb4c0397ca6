"""A mail server for the tests: aiosmtpd on a port of this machine.

It prints "ready", then each accepted message as one line of JSON. Recipients that begin with "refused" do not exist;
those that begin with "busy" get a temporary failure.
"""

import argparse
import email
import json
import ssl
import sys
from email import policy

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("refused"):
            return "550 no such user here"
        if address.startswith("busy"):
            return "451 come back later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=policy.default)
        text = message.get_body(("html", "plain"))
        files = [part for part in message.walk() if part is not text and not part.is_multipart()]
        print(json.dumps({
            "to": envelope.rcpt_tos, "from": str(message["From"]), "subject": str(message["Subject"]),
            "id": str(message["Message-ID"]), "type": text.get_content_type(), "text": text.get_content(),
            "files": [{"type": part.get_content_type(), "id": str(part["Content-ID"]),
                       "size": len(part.get_content())} for part in files],
            "headers": {name: str(value) for name, value in message.items() if name.startswith("X-")},
            "tls": session.ssl is not None, "user": session.authenticated,
        }), flush=True)
        return "250 OK"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--certificate")
    parser.add_argument("--login")
    arguments = parser.parse_args()
    settings = {}
    if arguments.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(arguments.certificate)
        settings |= {"tls_context": context, "require_starttls": True}
    if arguments.login:
        user, password = arguments.login.encode().split(b":")

        def authenticate(server, session, envelope, mechanism, data):
            known = (data.login, data.password) == (user, password)
            return AuthResult(success=known, handled=False)

        settings |= {"authenticator": authenticate, "auth_required": True,
                     "auth_require_tls": bool(arguments.certificate)}
    controller = Controller(Handler(), hostname="127.0.0.1", port=arguments.port, **settings)
    controller.start()
    print("ready", flush=True)
    sys.stdin.read()
    controller.stop()


main()
