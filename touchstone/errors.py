"""The pages of last resort. They read neither the form nor the session: what failed may be just that."""

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import render

UNREADABLE = "This request cannot be read. Nothing was stored."
FAILED = "Something failed here. Nothing was stored by this request."


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_for_programs(request):
        return JsonResponse({"detail": UNREADABLE}, status=400)
    return HttpResponseBadRequest(f"{UNREADABLE}\n", content_type="text/plain")


def server_error(request: HttpRequest) -> HttpResponse:
    if is_for_programs(request):
        return JsonResponse({"detail": FAILED}, status=500)
    return render(None, "500.html", status=500)


def is_for_programs(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
