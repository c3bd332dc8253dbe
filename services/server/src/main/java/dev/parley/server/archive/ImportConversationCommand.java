package dev.parley.server.archive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import dev.parley.server.client.ApiClient;
import dev.parley.server.client.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parley import-conversation}: creates a session from an existing conversation. */
@Command(
        name = "import-conversation",
        mixinStandardHelpOptions = true,
        description =
                "Creates a session from a conversation of another system: its next turn has that history. The file is"
                        + " a JSON array of messages, or an object with one as \"messages\". A repeated import of the same"
                        + " file into the same session changes nothing. Requires a running server. Exit status: 0 on"
                        + " success, 1 otherwise.")
public final class ImportConversationCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = JsonMappers.stored();

    @Parameters(paramLabel = "FILE", description = "the messages")
    private Path file = Path.of("");

    @Option(
            names = "--format",
            required = true,
            paramLabel = "FORMAT",
            description = "openai (chat completions), openai-responses (items and responses of the Responses API),"
                    + " anthropic (Messages API) or rows ({kind, text, data})")
    private String format = "";

    @Option(names = "--session", required = true, paramLabel = "KEY", description = "the key of the session")
    private String session = "";

    @Option(names = "--project", paramLabel = "KEY", description = "its project, instead of the default one")
    private @Nullable String project;

    @Option(names = "--agent", paramLabel = "NAME", description = "agent that continues it, instead of the default one")
    private @Nullable String agent;

    @Option(
            names = "--provider",
            paramLabel = "NAME",
            description = "the provider here that made the answers, and gets their reasoning back")
    private @Nullable String provider;

    @Option(names = "--model", paramLabel = "NAME", description = "the model that made them, where they do not name it")
    private @Nullable String model;

    @Option(names = "--title", paramLabel = "TEXT", description = "the session's title")
    private @Nullable String title;

    @Mixin
    private ServerOptions server;

    @Override
    public Integer call() throws InterruptedException {
        if (!Files.isRegularFile(file)) {
            System.err.println("The file " + file + " does not exist.");
            return 1;
        }
        return server.run(ApiClient::new, "The import failed", this::importConversation);
    }

    private int importConversation(ApiClient client) throws IOException, InterruptedException {
        String scope = project == null ? "" : "projects/" + ApiClient.encode(project) + "/";
        String body = JSON.writeValueAsString(body());
        JsonNode created = client.post("/v1/" + scope + "sessions/import", body, ApiClient.idempotencyKey(body));
        created.path("leftOut")
                .forEach(message -> System.err.printf(
                        "Message %d: %s%n",
                        message.path("message").asInt(), message.path("reason").asText()));
        System.err.printf(
                "The session %s has %d messages.%n",
                created.path("key").asText(), created.path("messages").asInt());
        return 0;
    }

    private ObjectNode body() throws IOException {
        JsonNode read = JSON.readTree(file.toFile());
        return JSON.createObjectNode()
                .put("format", format)
                .put("key", session)
                .put("provider", provider)
                .put("model", model)
                .put("agent", agent)
                .put("title", title)
                .set("messages", read.isObject() ? read.path("messages") : read);
    }
}
