package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** An HTTP client of the API, with an address and a key. */
record Api(String url, String key) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(60)).build();

    /** A response; its JSON is null if the body is empty or not JSON. */
    record Answer(int status, JsonNode json, String text, String etag) {
        /** The problem's code. */
        String code() {
            return json.path("code").asText();
        }
    }

    /** The API of an instance in this process, as its administrator. */
    static Api of(Instance instance) {
        return new Api(instance.url(), instance.adminKey());
    }

    /** The same API with another key or token. */
    Api as(String other) {
        return new Api(url, other);
    }

    Answer get(String path) {
        return send(request(path).GET().build());
    }

    Answer delete(String path) {
        return send(request(path).DELETE().build());
    }

    Answer post(String path, Object body) {
        return post(path, body, Map.of());
    }

    Answer post(String path, Object body, Map<String, String> headers) {
        return send("POST", path, body, headers);
    }

    /** Posts a body, and checks that something was created. */
    Answer create(String path, Object body) {
        Answer created = post(path, body);
        assertEquals(201, created.status(), created.text());
        return created;
    }

    /** Creates a project; returns its key. */
    String project(String name) {
        return create("/v1/projects", Map.of("name", name)).json().get("key").asText();
    }

    /** Registers a person, who signs in. */
    Api signUp(String name) {
        return register(Map.of("username", name, "password", "a long password of " + name))
                .api();
    }

    /** A registered person. */
    record Account(String id, Api api) {}

    /**
     * Registers a person, who signs in.
     *
     * @param person with {@code username} and {@code password}
     */
    Account register(Map<String, String> person) {
        String id = create("/v1/auth/register", person).json().get("id").asText();
        var login = Map.of("username", person.get("username"), "password", person.get("password"));
        return new Account(
                id, as(post("/v1/auth/login", login).json().get("token").asText()));
    }

    Answer patch(String path, Object body) {
        return send("PATCH", path, body, Map.of());
    }

    /** Puts bytes at a path. */
    Answer put(String path, String bytes) {
        return send(request(path)
                .header("Content-Type", "application/octet-stream")
                .PUT(BodyPublishers.ofString(bytes))
                .build());
    }

    /** Posts YAML. */
    Answer postYaml(String path, String yaml) {
        return send(request(path)
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString(yaml))
                .build());
    }

    /** Sends any request; without a body if it is null. */
    Answer send(String method, String path, Object body, Map<String, String> headers) {
        var builder = request(path);
        headers.forEach(builder::header);
        if (body == null) {
            return send(builder.method(method, BodyPublishers.noBody()).build());
        }
        return send(builder.header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(write(body)))
                .build());
    }

    Answer patch(String path, Object body, Map<String, String> headers) {
        return send("PATCH", path, body, headers);
    }

    /**
     * Submits a turn and waits for its end.
     *
     * @param session its key in the default project, or its path
     */
    Answer turn(String session, Map<String, ?> body) {
        return post((session.startsWith("/") ? session : "/v1/sessions/" + session) + "/turns?wait=60s", body);
    }

    /** Sends a message and waits for the end of the turn. */
    JsonNode say(String session, String text) {
        Answer answer = turn(session, Map.of("text", text));
        if (answer.status() != 200) {
            throw new AssertionError(answer.status() + " " + answer.text());
        }
        return answer.json();
    }

    /** Sends a message and does not wait. */
    Answer submit(String session, String text, String idempotencyKey) {
        return post(
                "/v1/sessions/" + session + "/turns", Map.of("text", text), Map.of("Idempotency-Key", idempotencyKey));
    }

    List<JsonNode> list(String path) {
        return rows(get(path));
    }

    /**
     * The rows of all pages of a list.
     *
     * @param path with a query
     */
    List<JsonNode> all(String path) {
        var items = new ArrayList<JsonNode>();
        String cursor = "";
        do {
            Answer page = get(path + cursor);
            items.addAll(rows(page));
            cursor = page.json().path("next").isTextual()
                    ? "&cursor=" + page.json().path("next").asText()
                    : "";
        } while (!cursor.isEmpty());
        return items;
    }

    /** The rows of a response with a list. */
    static List<JsonNode> rows(Answer list) {
        return StreamSupport.stream(list.json().get("data").spliterator(), false)
                .toList();
    }

    /** The lines of a stream of server-sent events, until it ends. */
    Stream<String> stream(String path, Object body) {
        return lines(request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(write(body)))
                .build());
    }

    /** The lines of a stream that is requested with GET. */
    Stream<String> watch(String path) {
        return lines(request(path).GET().build());
    }

    private static Stream<String> lines(HttpRequest request) {
        try {
            return HTTP.send(request, BodyHandlers.ofLines()).body();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Duration.ofSeconds(90))
                .header("Authorization", "Bearer " + key);
    }

    /** JSON that must be valid. */
    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new AssertionError(text, e);
        }
    }

    private static String write(Object body) {
        try {
            return body instanceof String text ? text : JSON.writeValueAsString(body);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Answer send(HttpRequest request) {
        try {
            HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
            return new Answer(
                    response.statusCode(),
                    parse(response.body()),
                    response.body(),
                    response.headers().firstValue("ETag").orElse(null));
        } catch (IOException e) {
            throw new AssertionError(request.uri() + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            return null;
        }
    }
}
