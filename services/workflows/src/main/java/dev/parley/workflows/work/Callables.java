package dev.parley.workflows.work;

import dev.parley.platform.config.WorkflowsConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What this build can call and run, by the words of {@code needs}. */
public final class Callables {
    private static final String SHELL = "run shell";

    /** What every server can do, {@code call http} and so on. */
    private static final Set<String> SUPPORTED = Set.of(
            "call http",
            "call openapi",
            "call grpc",
            "call asyncapi",
            "call jsonrpc",
            "call openrpc",
            "call a2a",
            "call mcp",
            "call tool",
            "call agent",
            "run workflow",
            "run script");

    /** What no server can do, and what to do instead. */
    private static final Map<String, String> IMPOSSIBLE = Map.of(
            "run container",
            "Parley drives no container engine; call a tool, or a service that runs the container",
            "run command template",
            "there are no templates of commands here; write the command under 'command'",
            "read file",
            "a .proto is fetched from where http or https reaches it");

    private Callables() {}

    /** Why a definition that wants this is not published; empty where it can run. */
    public static Optional<String> refusal(String what, WorkflowsConfig config) {
        if (SUPPORTED.contains(what) || what.equals(SHELL) && config.shell()) {
            return Optional.empty();
        }
        String why = what.equals(SHELL)
                ? "commands run where the operator allows it in parley.yml: workflows: { shell: true }"
                : IMPOSSIBLE.get(what);
        return Optional.of("'" + what + "' cannot be done on this server" + (why == null ? "" : ": " + why));
    }

    /** Those that a server can make. */
    static List<Callable> of(HttpExchange http, KafkaChannel kafka, StartWorkflow workflows, AgentTurn agents) {
        return List.of(
                new HttpCall(http),
                new OpenApiCall(http),
                new GrpcCall(http, new GrpcExchange(http.outbound())),
                new AsyncApiCall(http, kafka),
                new JsonRpcCall(http),
                new OpenRpcCall(http),
                new A2aCall(http),
                workflows,
                agents);
    }
}
