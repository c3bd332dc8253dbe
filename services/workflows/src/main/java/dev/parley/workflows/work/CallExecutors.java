package dev.parley.workflows.work;

import dev.parley.platform.config.WorkflowsConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The calls that this server supports, by the names in {@code needs}. */
public final class CallExecutors {
    private static final String SHELL = "run shell";
    private static final String CONTAINER = "run container";

    /** Features of every server: {@code call http} and so on. */
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

    /** Unsupported features, and what to use instead. */
    private static final Map<String, String> IMPOSSIBLE = Map.of(
            "container ports",
            "a container runs only for its call and serves no requests; call a service instead",
            "container volumes",
            "containers cannot mount folders; pass data by 'stdin' or 'environment'",
            "container name",
            "containers are named by their calls, parley-ID",
            "container that stays",
            "containers are always removed when they end",
            "run command template",
            "command templates are not supported; use 'command'",
            "read file",
            "a .proto file is fetched by http or https only");

    private CallExecutors() {}

    /** The reason for rejecting a definition that needs this feature; empty if the feature is supported. */
    public static Optional<String> refusal(String feature, WorkflowsConfig config) {
        if (SUPPORTED.contains(feature)
                || feature.equals(SHELL) && config.shell()
                || feature.equals(CONTAINER) && config.containers() != null) {
            return Optional.empty();
        }
        @Nullable
        String reason = switch (feature) {
            case SHELL -> "commands run where the operator allows it in parley.yml: workflows: { shell: true }";
            case CONTAINER ->
                "containers run where the operator names their images in parley.yml: workflows: { containers: { images: [\"alpine:*\"] } }";
            default -> IMPOSSIBLE.get(feature);
        };
        return Optional.of("'" + feature + "' is not supported on this server" + (reason == null ? "" : ": " + reason));
    }

    /** The executors of a server. */
    static List<CallExecutor> of(HttpExchange http, KafkaChannel kafka, WorkflowCall workflows, AgentCall agents) {
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
