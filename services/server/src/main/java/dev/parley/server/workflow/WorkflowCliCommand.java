package dev.parley.server.workflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.outbound.TextDecoder;
import dev.parley.server.client.ApiClient;
import dev.parley.server.client.ServerOptions;
import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.definition.InvalidDefinitionException;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.diagram.Mermaid;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley workflow}: checks and publishes workflows, and manages their processes. */
@Command(
        name = "workflow",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Checks, draws and tests workflow definitions, without a server; publishes them, and starts and manages"
                        + " processes. Exit status: 0 on success, 1 otherwise.",
        subcommands = WorkflowTestCommand.class)
public final class WorkflowCliCommand {
    private static final ObjectMapper JSON = JsonMappers.stored();

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Command(
            name = "validate",
            mixinStandardHelpOptions = true,
            description = "Reports errors in definitions, with line and column."
                    + " Exit status: 0 when all can run, 1 otherwise.")
    int validate(
            @Parameters(paramLabel = "FILE", arity = "1..*", description = "definitions in YAML or JSON")
                    List<Path> files) {
        PrintWriter err = spec.commandLine().getErr();
        int status = 0;
        for (Path file : files) {
            try {
                Workflow workflow = read(file);
                out().println(file + ": " + workflow.reference() + " can run");
                if (!workflow.needs().isEmpty()) {
                    out().println("  needs: " + String.join(", ", workflow.needs()));
                }
                workflow.warnings().forEach(warning -> out().println("  warning: " + warning));
            } catch (InvalidDefinitionException e) {
                status = 1;
                err.println(file + ":");
                e.problems().forEach(problem -> err.println("  " + problem));
            } catch (IOException e) {
                status = 1;
                err.println(file + " cannot be read: " + e.getMessage());
            }
        }
        return status;
    }

    @Command(
            name = "diagram",
            mixinStandardHelpOptions = true,
            description = "Prints a definition as a Mermaid flowchart, which GitHub and others show in Markdown.")
    int diagram(@Parameters(paramLabel = "FILE", description = "a definition in YAML or JSON") Path file) {
        PrintWriter err = spec.commandLine().getErr();
        try {
            out().print(Mermaid.of(read(file)));
            out().flush();
            return 0;
        } catch (InvalidDefinitionException e) {
            err.println(e.getMessage());
        } catch (IOException e) {
            err.println(file + " cannot be read: " + e.getMessage());
        }
        return 1;
    }

    static Workflow read(Path file) throws IOException {
        return DefinitionReader.read(TextDecoder.read(file));
    }

    @Command(
            name = "publish",
            mixinStandardHelpOptions = true,
            description =
                    "Publishes definitions for the host or a project. Republishing the same text changes nothing.")
    int publish(
            @Parameters(paramLabel = "FILE", arity = "1..*", description = "definitions in YAML or JSON")
                    List<Path> files,
            @Option(names = "--project", paramLabel = "KEY", description = "publishes for this project only") @Nullable
                    String project)
            throws InterruptedException {
        return server.run(client -> {
            for (Path file : files) {
                JsonNode published = client.postText(workflows(project), "application/yaml", text(file));
                out().printf(
                                "%s:%s:%s  %s%n",
                                published.path("namespace").asText(),
                                published.path("name").asText(),
                                published.path("version").asText(),
                                published.path("id").asText());
                published
                        .path("warnings")
                        .forEach(warning -> out().println(
                                        "  warning: " + warning.path("pointer").asText() + ": "
                                                + warning.path("detail").asText()));
            }
            return 0;
        });
    }

    private static String workflows(@Nullable String project) {
        return project == null ? "/v1/workflows" : "/v1/projects/" + ApiClient.encode(project) + "/workflows";
    }

    private static String text(Path file) throws IOException {
        try {
            return TextDecoder.read(file);
        } catch (NoSuchFileException e) {
            throw new IllegalStateException("The file " + file + " does not exist", e);
        }
    }

    @Command(
            name = "start",
            mixinStandardHelpOptions = true,
            description = "Starts a process and shows it. With --wait the exit status is 0 when it completed in time.")
    int start(
            @Parameters(paramLabel = "WORKFLOW", description = "namespace:name, namespace:name:version, or an id")
                    String workflow,
            @Option(names = "--input", paramLabel = "JSON", description = "input; @FILE reads it from a file") @Nullable
                    String input,
            @Option(
                            names = "--business",
                            paramLabel = "JSON",
                            description = "business keys, such as {\"partyId\":\"7\"}")
                    @Nullable
                    String business,
            @Option(
                            names = "--id",
                            paramLabel = "NAME",
                            description = "id of the instance; a second start with it returns the same process")
                    @Nullable
                    String id,
            @Option(names = "--wait", paramLabel = "TIME", description = "waits for the end, such as 30s") @Nullable
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
        return server.run(client -> {
            String path = workflows(project) + "/" + ApiClient.encode(workflow) + "/instances"
                    + (wait == null ? "" : "?wait=" + ApiClient.encode(wait));
            JsonNode process =
                    client.post(path, body.toString(), UUID.randomUUID().toString());
            print(process);
            return wait == null || process.path("status").asText().equals("C") ? 0 : 1;
        });
    }

    private JsonNode json(String option, String text) {
        try {
            String json = text.startsWith("@") ? TextDecoder.read(Path.of(text.substring(1))) : text;
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), option + " is not valid JSON: " + e.getMessage());
        }
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists processes, the newest first.")
    int list(
            @Option(names = "--workflow", paramLabel = "WORKFLOW", description = "only processes of this workflow")
                    @Nullable
                    String workflow,
            @Option(
                            names = "--status",
                            paramLabel = "LETTER",
                            description = "only this status: U, A, W (waiting), S, C (completed), F (failed) or X")
                    @Nullable
                    String status,
            @Option(names = "--project", paramLabel = "KEY", description = "only processes of this project") @Nullable
                    String project,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = "how many (50, at most 200)")
                    int limit)
            throws InterruptedException {
        return server.run(client -> {
            JsonNode page = client.get("/v1/processes?fresh=true&limit=" + limit
                    + query("definition", workflow)
                    + query("status", status)
                    + query("project", project));
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

    private static String query(String name, @Nullable String value) {
        return value == null ? "" : "&" + name + "=" + ApiClient.encode(value);
    }

    @Command(name = "show", mixinStandardHelpOptions = true, description = "Shows a process and its tasks.")
    int show(@Parameters(paramLabel = "PROCESS", description = "its id") String id) throws InterruptedException {
        return server.run(client -> {
            String path = "/v1/processes/" + ApiClient.encode(id);
            print(client.get(path + "?fresh=true"));
            client.get(path + "/tasks?limit=200").path("data").forEach(this::printTask);
            return 0;
        });
    }

    private void printTask(JsonNode task) {
        int attempt = task.path("attempt").asInt();
        JsonNode error = task.path("error");
        out().printf(
                        "  %-9s  %-12s  %s%s%s%n",
                        task.path("phase").asText(),
                        task.path("type").asText(),
                        task.path("path").asText(),
                        attempt > 1 ? "  attempt " + attempt : "",
                        error.isObject() ? "  " + error.path("detail").asText() : "");
    }

    @Command(
            name = "signal",
            mixinStandardHelpOptions = true,
            description = "Publishes an event to the processes that wait for it.")
    int signal(
            @Parameters(paramLabel = "TYPE", description = "type of the event") String type,
            @Option(
                            names = "--payload",
                            paramLabel = "JSON",
                            description = "data of the event; @FILE reads it from a file")
                    @Nullable
                    String data,
            @Option(
                            names = "--source",
                            paramLabel = "URI",
                            defaultValue = "urn:parley:command-line",
                            description = "source of the event (urn:parley:command-line)")
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
        return server.run(client -> {
            client.post(
                    "/v1/events" + (project == null ? "" : "?project=" + ApiClient.encode(project)),
                    event.toString(),
                    id);
            out().println("published as " + id);
            return 0;
        });
    }

    @Command(name = "cancel", mixinStandardHelpOptions = true, description = "Cancels a process.")
    int cancel(
            @Parameters(paramLabel = "PROCESS", description = "its id") String id,
            @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "why") String reason)
            throws InterruptedException {
        return control(id, "cancel", JSON.createObjectNode().put("reason", reason));
    }

    @Command(
            name = "retry",
            mixinStandardHelpOptions = true,
            description = "Resumes a failed process at the failed task, or at one around it.")
    int retry(
            @Parameters(paramLabel = "PROCESS", description = "its id") String id,
            @Option(names = "--task", paramLabel = "NAME", description = "task to resume at") @Nullable String task,
            @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "why") String reason)
            throws InterruptedException {
        return control(
                id, "retry", JSON.createObjectNode().put("reason", reason).put("task", task));
    }

    @Command(
            name = "skip",
            mixinStandardHelpOptions = true,
            description = "Ends a failed or running task with a given output.")
    int skip(
            @Parameters(paramLabel = "PROCESS", description = "its id") String id,
            @Option(names = "--task", paramLabel = "NAME", description = "task to skip, instead of the failed one")
                    @Nullable
                    String task,
            @Option(
                            names = "--output",
                            paramLabel = "JSON",
                            description = "output of the task, instead of its input; @FILE reads it from a file")
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
        return server.run(client -> {
            print(client.post(
                    "/v1/processes/" + ApiClient.encode(id) + "/" + control,
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
        return spec.commandLine().getOut();
    }
}
