package dev.parley.server.workflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.server.client.ApiClient;
import dev.parley.server.client.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley workflow}: looks after workflows and their processes. */
@Command(
        name = "workflow",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Checks, draws and tests definitions of workflows, which needs no server; publishes them, starts processes and looks"
                        + " after these. 0 when it is done, else 1.",
        subcommands = {WorkflowValidateCommand.class, WorkflowTestCommand.class, WorkflowDiagramCommand.class})
public final class WorkflowCommand {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ServerOptions server = new ServerOptions();

    /** Made by the command line. */
    public WorkflowCommand() {}

    @Command(
            name = "publish",
            mixinStandardHelpOptions = true,
            description = "Publishes definitions for the host, or for a project. The same text again changes nothing.")
    int publish(
            @Parameters(paramLabel = "FILE", arity = "1..*", description = "definitions in YAML or JSON")
                    List<Path> files,
            @Option(names = "--project", paramLabel = "KEY", description = "for this project alone") @Nullable
                    String project)
            throws InterruptedException {
        return server.with(client -> {
            for (Path file : files) {
                JsonNode done = client.postText(place(project), "application/yaml", text(file));
                out().printf(
                                "%s:%s:%s  %s%n",
                                done.path("namespace").asText(),
                                done.path("name").asText(),
                                done.path("version").asText(),
                                done.path("id").asText());
                done.path("warnings")
                        .forEach(warning -> out().println(
                                        "  warning: " + warning.path("pointer").asText() + ": "
                                                + warning.path("detail").asText()));
            }
            return 0;
        });
    }

    private static String place(@Nullable String project) {
        return project == null ? "/v1/workflows" : "/v1/projects/" + ApiClient.encoded(project) + "/workflows";
    }

    private static String text(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (java.nio.file.NoSuchFileException e) {
            throw new IllegalStateException("There is no file " + file, e);
        }
    }

    @Command(
            name = "start",
            mixinStandardHelpOptions = true,
            description = "Starts a process, and shows it. With --wait, when it ends: 0 where it is completed then.")
    int start(
            @Parameters(paramLabel = "WORKFLOW", description = "namespace:name, namespace:name:version, or an id")
                    String workflow,
            @Option(names = "--input", paramLabel = "JSON", description = "its input; @FILE reads it from a file")
                    @Nullable
                    String input,
            @Option(
                            names = "--business",
                            paramLabel = "JSON",
                            description = "its business keys, such as {\"partyId\":\"7\"}")
                    @Nullable
                    String business,
            @Option(
                            names = "--id",
                            paramLabel = "NAME",
                            description = "what it is called; started again, it is the same one")
                    @Nullable
                    String id,
            @Option(names = "--wait", paramLabel = "TIME", description = "waits for its end, such as 30s") @Nullable
                    String wait,
            @Option(names = "--project", paramLabel = "KEY", description = "in this project") @Nullable String project)
            throws InterruptedException {
        ObjectNode body = JSON.createObjectNode();
        if (input != null) {
            body.set("input", json("--input", input));
        }
        if (business != null) {
            body.set("business", json("--business", business));
        }
        if (id != null) {
            body.put("instanceId", id);
        }
        return server.with(client -> {
            String path = place(project) + "/" + ApiClient.encoded(workflow) + "/instances"
                    + (wait == null ? "" : "?wait=" + ApiClient.encoded(wait));
            JsonNode process =
                    client.post(path, body.toString(), UUID.randomUUID().toString());
            print(process);
            return wait == null || process.path("status").asText().equals("C") ? 0 : 1;
        });
    }

    private JsonNode json(String option, String text) {
        try {
            String json = text.startsWith("@") ? Files.readString(Path.of(text.substring(1))) : text;
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(), option + " is no JSON: " + e.getMessage());
        }
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists processes, the newest first.")
    int list(
            @Option(names = "--workflow", paramLabel = "WORKFLOW", description = "of this definition") @Nullable
                    String workflow,
            @Option(
                            names = "--status",
                            paramLabel = "LETTER",
                            description = "U, A, W, S, C, F or X: W for those that wait, F for those that failed")
                    @Nullable
                    String status,
            @Option(names = "--project", paramLabel = "KEY", description = "of this project") @Nullable String project,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = "how many (50, at most 200)")
                    int limit)
            throws InterruptedException {
        return server.with(client -> {
            JsonNode page = client.get("/v1/processes?fresh=true&limit=" + limit
                    + said("definition", workflow)
                    + said("status", status)
                    + said("project", project));
            page.path("data")
                    .forEach(process -> out().printf(
                                    "%s  %s  %-9s  %s  %s%n",
                                    process.path("id").asText(),
                                    process.path("startedAt").asText(),
                                    process.path("phase").asText(),
                                    process.path("workflow").asText(),
                                    process.path("next").asText()));
            if (page.path("data").isEmpty()) {
                out().println("There are none.");
            }
            return 0;
        });
    }

    private static String said(String name, @Nullable String value) {
        return value == null ? "" : "&" + name + "=" + ApiClient.encoded(value);
    }

    @Command(name = "show", mixinStandardHelpOptions = true, description = "Shows a process and its tasks.")
    int show(@Parameters(paramLabel = "PROCESS", description = "its id") String id) throws InterruptedException {
        return server.with(client -> {
            String path = "/v1/processes/" + ApiClient.encoded(id);
            print(client.get(path + "?fresh=true"));
            client.get(path + "/tasks?limit=200")
                    .path("data")
                    .forEach(task -> out().printf(
                                    "  %-9s  %-12s  %s%s%s%n",
                                    task.path("phase").asText(),
                                    task.path("type").asText(),
                                    task.path("path").asText(),
                                    task.path("attempt").asInt() > 1
                                            ? "  attempt "
                                                    + task.path("attempt").asInt()
                                            : "",
                                    task.path("error").isObject()
                                            ? "  "
                                                    + task.path("error")
                                                            .path("detail")
                                                            .asText()
                                            : ""));
            return 0;
        });
    }

    @Command(
            name = "signal",
            mixinStandardHelpOptions = true,
            description = "Publishes an event for the processes that wait for it.")
    int signal(
            @Parameters(paramLabel = "TYPE", description = "of the event") String type,
            @Option(names = "--payload", paramLabel = "JSON", description = "what it says; @FILE reads it from a file")
                    @Nullable
                    String data,
            @Option(
                            names = "--source",
                            paramLabel = "URI",
                            defaultValue = "urn:parley:command-line",
                            description = "where it is from (urn:parley:command-line)")
                    String source,
            @Option(names = "--project", paramLabel = "KEY", description = "in this project") @Nullable String project)
            throws InterruptedException {
        String id = UUID.randomUUID().toString();
        ObjectNode event = JSON.createObjectNode()
                .put("specversion", "1.0")
                .put("id", id)
                .put("source", source)
                .put("type", type);
        if (data != null) {
            event.set("data", json("--payload", data));
        }
        return server.with(client -> {
            client.post(
                    "/v1/events" + (project == null ? "" : "?project=" + ApiClient.encoded(project)),
                    event.toString(),
                    id);
            out().println("published as " + id);
            return 0;
        });
    }

    @Command(name = "cancel", mixinStandardHelpOptions = true, description = "Stops a process.")
    int cancel(
            @Parameters(paramLabel = "PROCESS", description = "its id") String id,
            @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "why") String reason)
            throws InterruptedException {
        return control(id, "cancel", JSON.createObjectNode().put("reason", reason));
    }

    @Command(
            name = "retry",
            mixinStandardHelpOptions = true,
            description = "Lets a process that has failed go on with the task that has failed, or one around it.")
    int retry(
            @Parameters(paramLabel = "PROCESS", description = "its id") String id,
            @Option(names = "--task", paramLabel = "NAME", description = "begins with this task") @Nullable String task,
            @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "why") String reason)
            throws InterruptedException {
        return control(
                id, "retry", JSON.createObjectNode().put("reason", reason).put("task", task));
    }

    @Command(
            name = "skip",
            mixinStandardHelpOptions = true,
            description = "Ends a task that has failed or is under way as if it had given something.")
    int skip(
            @Parameters(paramLabel = "PROCESS", description = "its id") String id,
            @Option(names = "--task", paramLabel = "NAME", description = "this task; else the one that has failed")
                    @Nullable
                    String task,
            @Option(
                            names = "--output",
                            paramLabel = "JSON",
                            description = "what it gives, else its input; @FILE reads it from a file")
                    @Nullable
                    String output,
            @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "why") String reason)
            throws InterruptedException {
        ObjectNode body = JSON.createObjectNode().put("reason", reason).put("task", task);
        if (output != null) {
            body.set("output", json("--output", output));
        }
        return control(id, "skip", body);
    }

    private int control(String id, String control, ObjectNode body) throws InterruptedException {
        return server.with(client -> {
            print(client.post(
                    "/v1/processes/" + ApiClient.encoded(id) + "/" + control,
                    body.toString(),
                    UUID.randomUUID().toString()));
            return 0;
        });
    }

    private void print(JsonNode process) {
        out().printf(
                        "%s  %s  %s%n",
                        process.path("id").asText(),
                        process.path("workflow").asText(),
                        process.path("phase").asText());
        if (!process.path("next").asText().startsWith("nothing")) {
            out().println("  waits for " + process.path("next").asText());
        }
        if (process.path("error").isObject()) {
            out().printf(
                            "  failed at %s: %s%n",
                            process.path("error").path("instance").asText(),
                            process.path("error")
                                    .path("detail")
                                    .asText(process.path("error").path("title").asText()));
        }
        if (!process.path("output").isNull()) {
            out().println("  gave " + process.path("output"));
        }
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }
}
