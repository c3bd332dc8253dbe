package dev.parley.server.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley taken-sessions}: lists sessions of people under keys of bots, processes and delegates. */
@Command(
        name = "taken-sessions",
        mixinStandardHelpOptions = true,
        description = "Lists sessions that people opened under keys of bots, workflows, schedules and delegates before"
                + " this was refused. Bots, workflows and delegates do not use them. Requires a running server.")
public final class TakenSessionsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Option(names = "--project", paramLabel = "KEY", description = "the project, instead of the default one")
    private @Nullable String project;

    @Override
    public Integer call() throws InterruptedException {
        return server.run(client -> {
            String query = project == null ? "" : "?project=" + ApiClient.encode(project);
            JsonNode taken = client.get("/v1/ops/taken-sessions" + query);
            var out = spec.commandLine().getOut();
            taken.forEach(session -> out.println("%s  opened by %s on %s, epoch %s, %s"
                    .formatted(
                            session.path("key").asText(),
                            session.path("user").asText("somebody"),
                            session.path("createdAt").asText(),
                            session.path("epoch").asText(),
                            session.path("status").asText())));
            out.println(taken.isEmpty() ? "No session is taken." : taken.size() + " sessions are taken.");
            out.flush();
            return 0;
        });
    }
}
