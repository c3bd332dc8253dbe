package dev.parley.workflows.work;

import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.platform.power.PowerGrants;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The calls that this server supports, by the names in {@code needs}. */
public final class CallExecutors {
    private static final String SHELL = "run shell";
    private static final String CONTAINER = "run container";
    private static final String SECRET = "secret ";
    private static final String HOST = "host ";

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

    /**
     * The reason for rejecting a definition that needs this feature; empty if the feature is supported, and the scope
     * has the power that it takes.
     */
    public static Optional<String> refusal(String feature, PowerGrants powers, CatalogueScope scope) {
        if (SUPPORTED.contains(feature)) {
            return Optional.empty();
        }
        if (feature.startsWith(SECRET)) {
            return powers.refusal(Power.secret(feature.substring(SECRET.length())), scope);
        }
        if (feature.startsWith(HOST)) { // whether another host is private is known when it is called
            Power host = Power.privateHost(feature.substring(HOST.length()));
            return powers.isOn(host) ? powers.refusal(host, scope) : Optional.empty();
        }
        @Nullable
        String reason = switch (feature) {
            case SHELL -> powers.refusal(Power.of(Kind.WORKFLOW_SHELL), scope).orElse("");
            case CONTAINER -> powers.refusal(Power.of(Kind.CONTAINERS), scope).orElse("");
            default -> IMPOSSIBLE.get(feature);
        };
        return "".equals(reason)
                ? Optional.empty()
                : Optional.of(
                        "'" + feature + "' is not supported on this server" + (reason == null ? "" : ": " + reason));
    }

    /** The host or project whose powers a call has. */
    public static CatalogueScope scope(WorkRequest call) {
        return new CatalogueScope(
                call.process().host(),
                call.ofHost() ? null : call.process().key().projectId());
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
