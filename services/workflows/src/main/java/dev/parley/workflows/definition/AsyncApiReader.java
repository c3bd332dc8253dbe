package dev.parley.workflows.definition;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Reads {@code call: asyncapi}: a publication or a subscription. */
final class AsyncApiReader {
    private static final List<String> PROTOCOLS = List.of("kafka", "kafka-secure", "http", "https");
    private static final List<String> LIFETIMES = List.of("amount", "for", "while", "until");

    private final DefinitionReader definition;
    private final Set<String> variables;

    AsyncApiReader(DefinitionReader definition, Set<String> variables) {
        this.definition = definition;
        this.variables = variables;
    }

    /** @param resolved {@code with} after resolving named authentications */
    TaskKind call(DefinitionNode with, Json resolved) {
        with.get("document").checkMembers("name", "!endpoint");
        if (with.has("operation") == with.has("channel")) {
            with.addProblem("'with' has one of operation, channel");
        }
        if (with.has("server")) {
            with.get("server").isObject("!name", "variables");
        }
        boolean subscribes = with.has("subscription");
        protocol(with.get("protocol"), subscribes);
        if (subscribes == with.has("message")) {
            with.addProblem("'with' has one of message, subscription");
        }
        if (!subscribes) {
            message(with.get("message"));
            return new TaskKind.Call("asyncapi", definition.template(with.as(resolved), variables), null, null, 0);
        }
        return subscription(with, resolved);
    }

    private static void protocol(DefinitionNode part, boolean subscribes) {
        String protocol = part.optionalText().orElse("kafka");
        if (!PROTOCOLS.contains(protocol)) {
            part.addProblem(
                    "the protocol '" + protocol + "' is not supported; " + String.join(", ", PROTOCOLS) + " are");
        } else if (subscribes && !protocol.startsWith("kafka")) {
            part.addProblem("channels of '" + protocol + "' have no subscriptions here; those of kafka have");
        }
    }

    private static void message(DefinitionNode message) {
        message.checkMembers("payload", "headers", "key");
        DefinitionNode headers = message.get("headers");
        boolean fits = headers.value() instanceof Json.Obj || headers.value() instanceof Json.Str;
        if (headers.isThere() && !fits) {
            headers.addProblem("'headers' has members, not " + headers.value().type());
        }
    }

    private TaskKind subscription(DefinitionNode with, Json resolved) {
        DefinitionNode subscription = with.get("subscription");
        subscription.isObject("filter", "!consume", "foreach");
        DefinitionNode consume = subscription.get("consume");
        int amount = lifetime(subscription, consume);
        TaskKind.Foreach foreach = new TaskReader(definition, variables).foreach(subscription.get("foreach"));
        Set<String> inner = new HashSet<>(variables);
        Stream.of(foreach.item(), foreach.at()).forEach(inner::add);
        var call = new LinkedHashMap<>(resolved.map());
        call.put("subscription", Values.EMPTY_OBJECT);
        return new TaskKind.Subscribe(
                definition.template(with.as(Json.of(call)), variables),
                consume.has("amount") ? amount : null,
                definition.optionalDuration(consume.get("for"), variables),
                definition.optional(subscription.get("filter"), inner),
                definition.optional(consume.get("while"), inner),
                definition.optional(consume.get("until"), inner),
                foreach,
                subscription.has("foreach"));
    }

    /** Checks the lifetime; returns the maximum number of messages. */
    private static int lifetime(DefinitionNode subscription, DefinitionNode consume) {
        if (subscription.has("consume")) {
            consume.isObject(LIFETIMES.toArray(String[]::new));
            if (LIFETIMES.stream().noneMatch(consume::has)) {
                consume.addProblem("it has at least one of " + String.join(", ", LIFETIMES));
            }
        }
        int amount = consume.get("amount").count(TaskKind.Subscribe.MAX_MESSAGES, TaskKind.Subscribe.MAX_MESSAGES);
        if (amount == 0) {
            consume.get("amount").addProblem("'amount' is a whole number from 1 to " + TaskKind.Subscribe.MAX_MESSAGES);
        }
        return amount;
    }
}
