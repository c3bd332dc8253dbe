package dev.parley.workflows.definition;

import dev.parley.workflows.expression.Template;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads {@code call} tasks. */
final class CallReader {
    /** Arguments by function; required ones are marked with an exclamation mark. */
    private static final Map<String, String[]> CALLS = calls();

    /** Paths where a call can have an authentication. */
    private static final List<List<String>> AUTHENTICATED = List.of(
            List.of(),
            List.of("endpoint"),
            List.of("document", "endpoint"),
            List.of("proto", "endpoint"),
            List.of("transport", "http", "endpoint"),
            List.of("agentCard", "endpoint"),
            List.of("service"));

    private final DefinitionReader definition;
    private final Set<String> variables;

    CallReader(DefinitionReader definition, Set<String> variables) {
        this.definition = definition;
        this.variables = variables;
    }

    private static Map<String, String[]> calls() {
        var calls = new LinkedHashMap<String, String[]>();
        calls.put("http", TaskReader.words("!method !endpoint headers body query output redirect"));
        calls.put("openapi", TaskReader.words("!document !operationId parameters authentication output redirect"));
        calls.put("grpc", TaskReader.words("!proto !service !method arguments authentication"));
        calls.put(
                "asyncapi",
                TaskReader.words("!document channel operation server protocol message subscription authentication"));
        calls.put(
                "mcp",
                TaskReader.words("protocolVersion method parameters timeout transport client session tool arguments"));
        calls.put("a2a", TaskReader.words("!method agentCard server parameters"));
        calls.put("jsonrpc", TaskReader.words("!endpoint !method params headers"));
        calls.put("openrpc", TaskReader.words("!document !method params headers"));
        calls.put("rule", TaskReader.words("rule ruleId input"));
        calls.put("tool", TaskReader.words("!tool arguments"));
        calls.put(
                "agent",
                TaskReader.words(
                        "!agent session mode skill input prompt instructions outputSchema outputSchemaRef tokenBudget"
                                + " costBudgetMicros maximumDelegationDepth onInvalidOutput mockOutput approvals"));
        return calls;
    }

    /** @param siblings names of the tasks of the same list */
    TaskKind call(DefinitionNode part, DefinitionNode body, List<String> siblings) {
        String function = body.text();
        DefinitionNode with = part.get("with");
        if (!CALLS.containsKey(function)) {
            return function(function, body, with);
        }
        if (function.equals("rule")) {
            return new RuleReader(definition, variables).call(with);
        }
        definition.needs("call " + function, body);
        with.isObject(CALLS.get(function));
        check(function, with);
        return function.equals("asyncapi")
                ? new AsyncApiReader(definition, variables).call(with, resolveArguments(function, with))
                : request(function, with, siblings);
    }

    /** A function of the definition. */
    private TaskKind function(String function, DefinitionNode body, DefinitionNode with) {
        Task defined = definition.function(function, body);
        if (defined != null) {
            return new TaskKind.CallFunction(function, defined, definition.template(with, variables));
        }
        if (!function.isEmpty() && !definition.functionNames().contains(function)) {
            List<String> names = Stream.concat(CALLS.keySet().stream(), definition.functionNames().stream())
                    .toList();
            body.addProblem("there is no function '" + function + "' in use.functions"
                    + DefinitionNode.instead(function, names));
        }
        return new TaskKind.Set(new Template.Fixed(Values.NULL));
    }

    private void check(String function, DefinitionNode with) {
        switch (function) {
            case "mcp" -> checkMcp(with);
            case "http" -> {
                endpoint(with.get("endpoint"));
                with.get("output").oneOf("content", "raw", "content", "response");
            }
            case "grpc" -> grpc(with.get("proto"), with.get("service"));
            case "a2a" -> {
                DefinitionNode method = with.get("method");
                if (Set.of("message/stream", "tasks/resubscribe").contains(method.text())) {
                    method.addProblem("streams are not supported; 'message/send' and 'tasks/get' are");
                }
            }
            case "agent" -> {
                with.get("mode").oneOf("service", "service", "native");
                with.get("approvals").oneOf("ask", "ask", "none");
            }
            default -> {}
        }
    }

    private static void checkMcp(DefinitionNode with) {
        for (String required : with.has("session") ? List.of("tool") : List.of("method", "transport")) {
            if (!with.has(required)) {
                with.addProblem("'with' needs '" + required + "'");
            }
        }
    }

    private TaskKind request(String function, DefinitionNode with, List<String> siblings) {
        DefinitionNode invalid = with.get("onInvalidOutput").checkMembers("retry", "then");
        Schema answer = answer(with);
        Json arguments = answer == null
                ? resolveArguments(function, with)
                : resolveArguments(function, with).with("outputSchema", answer.source());
        return new TaskKind.Call(
                function,
                definition.template(with.as(arguments), variables),
                answer,
                invalid.has("then") ? TaskReader.then(invalid.get("then"), siblings) : null,
                invalid.get("retry").count(0, 10));
    }

    private void grpc(DefinitionNode proto, DefinitionNode service) {
        if (proto.isThere() && proto.isObject("name", "!endpoint")) {
            endpoint(proto.get("endpoint"));
            DefinitionNode uri = proto.get("endpoint");
            uri = uri.value() instanceof Json.Obj ? uri.get("uri") : uri;
            if (uri.value().text().filter(text -> text.startsWith("file:")).isPresent()) {
                definition.needs("read file", uri);
            }
        }
        if (service.isThere() && service.isObject("!name", "!host", "port", "authentication")) {
            service.get("name").text();
            service.get("host").text();
            DefinitionNode port = service.get("port");
            if (port.value() instanceof Json.Num(BigDecimal number)
                    && (number.signum() <= 0
                            || number.compareTo(BigDecimal.valueOf(65_535)) > 0
                            || number.stripTrailingZeros().scale() > 0)) {
                port.addProblem("'port' is a whole number from 1 to 65535");
            }
        }
    }

    private static void endpoint(DefinitionNode part) {
        DefinitionNode endpoint = part.wrapAs("uri");
        endpoint.checkMembers("!uri", "authentication");
    }

    /** The arguments, with named authentications and sessions resolved. */
    private Json resolveArguments(String function, DefinitionNode with) {
        Json resolved = with.value();
        for (List<String> path : AUTHENTICATED) {
            resolved = resolveAuthentication(with, resolved, path);
        }
        if (function.equals("mcp") && with.has("session")) {
            DefinitionNode server =
                    definition.resolveUse(with.get("session"), "mcpSessions").get("server");
            Json endpoint = resolveAuthentication(server, server.value(), List.of("endpoint"))
                    .get("endpoint");
            resolved = Json.of("method", Json.of("tools/call"))
                    .with(
                            "parameters",
                            Json.of("name", with.value().get("tool"))
                                    .with("arguments", with.value().get("arguments")))
                    .with("transport", Json.of("http", Json.of("endpoint", endpoint)));
        }
        return resolved;
    }

    /** The value, with the named authentication at this path resolved. */
    private Json resolveAuthentication(DefinitionNode part, Json value, List<String> path) {
        if (!path.isEmpty()) {
            String step = path.getFirst();
            return part.get(step).value() instanceof Json.Obj
                    ? value.with(
                            step, resolveAuthentication(part.get(step), value.get(step), path.subList(1, path.size())))
                    : value;
        }
        DefinitionNode authentication = part.get("authentication");
        DefinitionNode name = authentication.value() instanceof Json.Str ? authentication : authentication.get("use");
        return name.isThere() && !name.value().display().startsWith("${")
                ? value.with(
                        "authentication",
                        definition.resolveUse(name, "authentications").value())
                : value;
    }

    /** The schema of an agent's answer. */
    private @Nullable Schema answer(DefinitionNode with) {
        DefinitionNode reference = with.get("outputSchemaRef");
        if (!reference.isThere()) {
            return definition.schema(with.get("outputSchema")).orElse(null);
        }
        String name = reference.text();
        Schema schema = definition.outputSchema(name);
        if (schema == null) {
            reference.addProblem("there is no '" + name + "' in outputSchemas"
                    + DefinitionNode.instead(name, definition.outputSchemaNames()));
        }
        return schema;
    }
}
