package dev.parley.workflows.work;

import java.util.List;
import java.util.Set;

/** What this build can call and run, by the words of {@code needs}. */
public final class Callables {
    /** {@code call http} and so on; what is missing here is refused when a definition is published. */
    public static final Set<String> SUPPORTED = Set.of(
            "call http",
            "call openapi",
            "call jsonrpc",
            "call openrpc",
            "call a2a",
            "call mcp",
            "call tool",
            "call agent",
            "run workflow",
            "run script");

    private Callables() {}

    /** Those that a server can make. */
    static List<Callable> of(HttpExchange http, StartWorkflow workflows, AgentTurn agents) {
        return List.of(
                new HttpCall(http),
                new OpenApiCall(http),
                new JsonRpcCall(http),
                new OpenRpcCall(http),
                new A2aCall(http),
                workflows,
                agents);
    }
}
