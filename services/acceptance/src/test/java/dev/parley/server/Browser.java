package dev.parley.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/** A browser in a test: it keeps cookies, and goes only where it is sent. */
final class Browser implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String url;
    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(5))
            .cookieHandler(new CookieManager())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** @param url of the server whose paths it opens */
    Browser(String url) {
        this.url = url;
    }

    /** An answer. */
    record Answer(HttpResponse<String> response) {
        int status() {
            return response.statusCode();
        }

        String text() {
            return response.body();
        }

        JsonNode json() {
            return Api.json(text());
        }

        String code() {
            return json().path("code").asText();
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        URI location() {
            return URI.create(header("Location"));
        }
    }

    /** Opens a path of the server, or an address. */
    Answer open(String address) {
        return send(HttpRequest.newBuilder(URI.create(address.startsWith("/") ? url + address : address)));
    }

    /** Opens a path as somebody who is signed in. */
    Answer open(String path, String token) {
        return send(HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", "Bearer " + token));
    }

    Answer post(String path, Object body) {
        return send(json("POST", path, body));
    }

    Answer post(String path, Object body, String token) {
        return send(json("POST", path, body).header("Authorization", "Bearer " + token));
    }

    Answer put(String path, Object body, String token) {
        return send(json("PUT", path, body).header("Authorization", "Bearer " + token));
    }

    Answer send(String method, String path, Object body, String token) {
        return send(json(method, path, body).header("Authorization", "Bearer " + token));
    }

    Answer delete(String path, String token) {
        return send(HttpRequest.newBuilder(URI.create(url + path))
                .header("Authorization", "Bearer " + token)
                .DELETE());
    }

    private HttpRequest.Builder json(String method, String path, Object body) {
        try {
            return HttpRequest.newBuilder(URI.create(url + path))
                    .header("Content-Type", "application/json")
                    .method(method, BodyPublishers.ofString(JSON.writeValueAsString(body)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Who is signed in with this token; null where nobody is. */
    String whoIs(String token) {
        Answer answer = open("/v1/me", token);
        return answer.status() == 200 ? answer.json().path("id").asText() : null;
    }

    /** The tokens of a password. */
    JsonNode login(String name, String password) {
        return post("/v1/auth/login", Map.of("username", name, "password", password))
                .json();
    }

    private Answer send(HttpRequest.Builder request) {
        try {
            return new Answer(http.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
