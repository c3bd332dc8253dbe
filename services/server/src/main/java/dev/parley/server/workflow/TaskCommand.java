package dev.parley.server.workflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import dev.parley.server.client.ApiClient;
import dev.parley.server.client.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley task}: lists, claims and answers tasks for people. */
@Command(
        name = "task",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Lists and answers the tasks that workflows and agents have for people."
                + " Exit status: 0 on success, 1 otherwise.")
public final class TaskCommand {
    private static final ObjectMapper JSON = JsonMappers.stored();

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists pending tasks, the most important first.")
    int list(
            @Option(names = "--mine", description = "only tasks that you may answer") boolean mine,
            @Option(names = "--project", paramLabel = "KEY", description = "only tasks of this project") @Nullable
                    String project)
            throws InterruptedException {
        return server.run(client -> {
            JsonNode page = client.get("/v1/tasks?fresh=true&limit=200&mine=" + mine
                    + (project == null ? "" : "&project=" + ApiClient.encode(project)));
            page.path("data")
                    .forEach(task -> out().printf(
                                    "%s  %s: %s%s%s%s%n",
                                    task.path("id").asText(),
                                    task.path("name").asText(),
                                    task.path("question").path("prompt").asText(),
                                    options(task.path("question")),
                                    task.path("claimedBy").isTextual()
                                            ? "  (claimed by "
                                                    + task.path("claimedBy").asText() + ")"
                                            : "",
                                    arguments(task.path("question"))));
            if (page.path("data").isEmpty()) {
                out().println("There are none.");
            }
            return 0;
        });
    }

    /** The arguments of the tool call, on a line of their own. */
    private static String arguments(JsonNode question) {
        String arguments = question.path("arguments").textValue();
        return arguments == null ? "" : "%n    with %s".formatted(arguments);
    }

    private static String options(JsonNode question) {
        JsonNode options = question.path("options");
        if (options.isEmpty()) {
            return "";
        }
        var values = new StringJoiner(" | ", "  [", "]");
        options.forEach(
                option -> values.add(option.isObject() ? option.path("value").asText() : option.asText()));
        return values.toString();
    }

    @Command(
            name = "claim",
            mixinStandardHelpOptions = true,
            description = "Claims a task: for half an hour nobody else can answer it.")
    int claim(@Parameters(paramLabel = "TASK", description = "its id") String id) throws InterruptedException {
        return server.run(client -> {
            post(client, id, "claim", JSON.createObjectNode());
            out().println("claimed");
            return 0;
        });
    }

    @Command(
            name = "answer",
            mixinStandardHelpOptions = true,
            description =
                    "Answers a task. An answer that begins with a brace is read as the fields of a form, in JSON.")
    int answer(
            @Parameters(paramLabel = "TASK", description = "its id") String id,
            @Parameters(paramLabel = "ANSWER", description = "a text, one of the options, or {\"field\": …}")
                    String answer,
            @Option(names = "--comment", paramLabel = "TEXT", description = "comment on the answer") @Nullable
                    String comment)
            throws InterruptedException {
        return server.run(client -> {
            JsonNode process = post(client, id, "complete", body(answer, comment));
            if (process.has("session")) { // the task of an agent, not of a workflow process
                out().println("answered");
                return 0;
            }
            out().printf(
                            "answered; the process is %s%s%n",
                            process.path("phase").asText(),
                            process.path("next").asText().startsWith("nothing")
                                    ? ""
                                    : " and waits for " + process.path("next").asText());
            return 0;
        });
    }

    private static ObjectNode body(String answer, @Nullable String comment) throws IOException {
        ObjectNode body = JSON.createObjectNode();
        if (answer.startsWith("{")) {
            body.set("fields", JSON.readTree(answer));
        } else {
            body.put("value", answer);
        }
        return comment == null ? body : body.put("comment", comment);
    }

    private static JsonNode post(ApiClient client, String id, String action, ObjectNode body)
            throws IOException, InterruptedException {
        return client.post(
                "/v1/tasks/" + ApiClient.encode(id) + "/" + action,
                body.toString(),
                UUID.randomUUID().toString());
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
