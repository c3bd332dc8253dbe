package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** Calls a bot's methods as a bot would, for the fake's own tests. */
final class Caller {
    private final HttpClient client;
    private final String base;

    Caller(FakeTelegram fake, Bot bot, HttpClient client) {
        this.client = client;
        base = fake.url() + "/bot" + bot.token() + "/";
    }

    private HttpRequest request(String method, String body) {
        return HttpRequest.newBuilder(URI.create(base + method))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.replace('\'', '"')))
                .build();
    }

    /** @param body JSON, with {@code '} for quotes */
    HttpResponse<String> raw(String method, String body) throws IOException, InterruptedException {
        return client.send(request(method, body), BodyHandlers.ofString());
    }

    JsonNode call(String method, String body) throws IOException, InterruptedException {
        return Json.parse(raw(method, body).body());
    }

    JsonNode result(String method, String body) throws IOException, InterruptedException {
        JsonNode answer = call(method, body);
        if (!answer.path("ok").asBoolean()) {
            throw new AssertionError(answer.toString());
        }
        return answer.path("result");
    }

    /** The error's text. */
    String error(String method, String body) throws IOException, InterruptedException {
        JsonNode answer = call(method, body);
        if (answer.path("ok").asBoolean()) {
            throw new AssertionError("no error: " + answer);
        }
        return answer.path("description").asText();
    }

    CompletableFuture<JsonNode> later(String method, String body) {
        return client.sendAsync(request(method, body), BodyHandlers.ofString())
                .thenApply(response -> Json.parse(response.body()));
    }
}
