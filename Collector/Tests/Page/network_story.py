"""Requests as a real app makes them, for looking at and for checking."""

import base64
import json
import random
import time

from collector import Launch

API = "https://api.roastery.example"
IMAGES = "https://img.roastery.example"

# A picture of 2 × 2 points.
PNG = base64.b64encode(bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000020000000208020000"
    "00fdd49a730000001649444154789c63f8cfc0f0bfa1a181e13f0303"
    "100300300c05fb1c9bb8890000000049454e44ae426082")).decode()


def request(launch, method, url, status=200, duration=80.0, after=400, **more):
    members = {"method": method, "url": url, "durationMs": duration, "host": url.split("/")[2], "path": "/" + url.split("/", 3)[3].split("?")[0],
               "source": "urlprotocol"}
    if status is not None:
        members["statusCode"] = status
    return launch.event("network_request", after, **members, **more)


def timings(duration, fresh=True):
    """The phases of a request that took so long, over a new connection or an old one."""
    start = 1.5
    members = {}
    if fresh:
        members = {"domainLookupStart": start, "domainLookupEnd": start + duration * .08, "connectStart": start + duration * .08,
                   "secureConnectionStart": start + duration * .16, "secureConnectionEnd": start + duration * .3, "connectEnd": start + duration * .3}
        start += duration * .3
    members |= {"requestStart": start, "requestEnd": start + duration * .03, "responseStart": duration * .85, "responseEnd": duration}
    transport = {"protocolName": "h2", "isReused": not fresh, "tlsVersion": "TLS 1.3", "remoteAddress": "203.0.113.7:443",
                 "bytesSent": 412, "bytesReceived": 2310}
    return {"timings": members, "transport": transport}


MENU = json.dumps({"currency": "EUR", "drinks": [
    {"name": "flat-white", "title": "Flat white", "price": 4.2, "milk": ["none", "whole", "oat"], "seasonal": False},
    {"name": "pumpkin-latte", "title": "Pumpkin latte", "price": 4.9, "milk": ["whole", "oat"], "seasonal": True},
    {"name": "filter-kenya", "title": "Filter, Kenya", "price": 4.2, "milk": None, "article": 12345678901234567890},
]}, separators=(",", ":"))


def story(launch):
    """One of each kind."""
    headers = {"Accept": "application/json", "Accept-Language": "de-CH", "Authorization": "[redacted]", "X-Conversation-Id": "c0ffee-2041",
               "User-Agent": "Roastery/2.4.0 CFNetwork/1568"}
    answer = {"Content-Type": "application/json", "Cache-Control": "no-store", "Server": "roastery", "Content-Encoding": "br"}
    traced = {"tracerId": "c0ffee-2041", "requestHeaders": headers, "responseHeaders": answer, "contentType": "application/json"}
    pay = json.dumps({"payment": "card", "pickup": "soon", "items": [{"drink": "flat-white", "size": "large"}]})
    refused = json.dumps({"error": "the payment service does not answer", "retry": True, "incident": "8f14e45f"})
    return [
        launch.screen("Menu"),
        request(launch, "GET", f"{API}/v1/menu?section=seasonal&limit=20", duration=184.0, requestId="r-menu", responseBody=MENU,
                responseBodySize=len(MENU), traceparent="00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", **traced, **timings(184.0)),
        request(launch, "GET", f"{IMAGES}/drinks/flat-white.png", duration=61.0, contentType="image/png", responseBody=PNG,
                responseBodyEncoding="base64", responseBodySize=79, **timings(61.0, fresh=False)),
        request(launch, "GET", f"{API}/v1/drinks/cardamom-bun", 404, 38.0, responseBody='{"error":"there is no drink of that name"}',
                responseBodySize=42, **traced),
        launch.screen("Checkout"),
        request(launch, "POST", f"{API}/v1/checkout", 503, 1240.0, requestBody=pay, requestBodySize=len(pay), responseBody=refused,
                responseBodySize=len(refused), requestId="r-pay", **traced, **timings(1240.0, fresh=False)),
        launch.log("Payment failed with status 503, asking again", level=4),
        request(launch, "POST", f"{API}/v1/checkout", 201, 310.0, requestBody=pay, requestBodySize=len(pay),
                responseBody='{"order":"R-2041","ready":"08:32"}', responseBodySize=34, **traced, **timings(310.0, fresh=False)),
        request(launch, "GET", f"{API}/v1/orders/R-2041", 200, 74.0, redirects=[
            {"statusCode": 301, "url": f"{API}/orders/R-2041", "location": f"{API}/v1/orders/R-2041", "atMs": 21.5}], **traced),
        request(launch, "POST", f"{API}/graphql", 200, 96.0, graphQLOperation="LoyaltyPoints", requestBody='{"operationName":"LoyaltyPoints","query":"query LoyaltyPoints { points }"}',
                requestBodySize=74, responseBody='{"data":{"points":128}}', responseBodySize=23, **traced),
        request(launch, "POST", f"{API}/v1/session", 200, 55.0, requestBody="grant_type=refresh_token&refresh_token=%5Bredacted%5D&scope=orders+points",
                requestBodySize=72, requestHeaders={"Content-Type": "application/x-www-form-urlencoded"}),
        request(launch, "GET", f"{API}/v1/receipt.xml", 200, 47.0, contentType="application/xml", responseBodySize=150,
                responseBody="<?xml version=\"1.0\"?><receipt id=\"R-2041\"><item price=\"4.20\">Flat white</item><item price=\"4.20\">Filter</item><paid/></receipt>"),
        request(launch, "GET", f"{API}/v1/basket", 200, 3.0, mockRule="empty basket", responseBody='{"items":[]}', responseBodySize=12),
        request(launch, "GET", f"{API}/v1/pickup-times", None, 60_000.0, error="The request timed out.", errorDomain="NSURLErrorDomain", errorCode=-1001),
        request(launch, "GET", f"{IMAGES}/banner@2x.jpg", None, 130.0, error="cancelled", errorDomain="NSURLErrorDomain", errorCode=-999),
        request(launch, "GET", "wss://live.roastery.example/orders", 101, 42_000.0, requestId="r-live"),
        launch.event("websocket_frame", url="wss://live.roastery.example/orders", direction="sent", frameType="text", payloadSize=27,
                     payload='{"subscribe":"order R-2041"}', requestId="r-live"),
        launch.event("websocket_frame", 900, url="wss://live.roastery.example/orders", direction="received", frameType="text", payloadSize=34,
                     payload='{"order":"R-2041","state":"brewing"}', requestId="r-live"),
        launch.event("websocket_frame", 30, url="wss://live.roastery.example/orders", direction="received", frameType="ping", payloadSize=4,
                     requestId="r-live"),
    ]


def crowd(people=6, each=60, seed=7):
    """Some launches with many requests of the usual kind, spread over the last hours."""
    chance = random.Random(seed)
    kinds = [("GET", "/v1/menu", 90, .01), ("GET", "/v1/drinks/{}", 45, .03), ("GET", "/v1/basket", 60, .01), ("POST", "/v1/basket/items", 120, .02),
             ("GET", "/v1/pickup-times", 900, .06), ("POST", "/v1/checkout", 400, .12), ("GET", "/v1/orders/{}", 70, .01)]
    for person in range(people):
        launch = Launch(user=f"{['mira', 'jon', 'aylin', 'hannes', 'lea', 'tomo'][person % 6]}@example.com",
                        start=int(time.time() * 1000) - (people - person) * 1_500_000)
        events = [launch.screen("Menu")]
        for _ in range(each):
            method, path, usual, failing = chance.choice(kinds)
            duration = round(usual * chance.lognormvariate(0, .6), 1)
            status = chance.choice([500, 503, 404]) if chance.random() < failing else 200
            events.append(request(launch, method, API + path.format(chance.randint(1000, 9999)), status, duration, after=chance.randint(200, 30_000),
                                  responseBodySize=int(duration * 37), tracerId=f"c-{chance.randrange(1 << 32):08x}"))
        yield launch, events
