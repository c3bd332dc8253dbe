package dev.parley.workflows.work;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import dev.parley.workflows.json.Values;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An AsyncAPI document of version 2 or 3; resolves the channel and server of a call.
 *
 * @see <a href="https://www.asyncapi.com/docs/reference/specification/v3.0.0">AsyncAPI</a>
 */
record AsyncApiDocument(Json root) {
    private static final int MAX_REFERENCES = 10;
    private static final String SEND = "publish";
    private static final String RECEIVE = "subscribe";
    private static final Pattern URL = Pattern.compile("(?:[A-Za-z][\\w+.-]*://)?([^/]+)(/.*)?");

    /**
     * A channel.
     *
     * @param address path of HTTP, or topic; null for none
     * @param servers names of its servers; empty for all
     * @param item the channel in the document
     * @param message the first message of the operation, or of the channel; null for none
     */
    record Channel(String name, @Nullable String address, List<String> servers, Json item, Json message) {}

    /**
     * A server with its variables.
     *
     * @param host with its port; of Kafka perhaps several, comma-separated
     * @param path prefix of the channel path, or empty
     */
    record Server(String name, String protocol, String host, String path) {
        boolean isKafka() {
            return is(protocol, "kafka");
        }

        boolean isHttp() {
            return is(protocol, "http");
        }

        /** @param requested a protocol; empty for any supported one */
        boolean supports(String requested) {
            return requested.isEmpty() ? isKafka() || isHttp() : is(protocol, requested);
        }
    }

    /** Whether a protocol is the plain protocol, or the plain protocol over TLS. */
    private static boolean is(String protocol, String plain) {
        return protocol.equals(plain) || protocol.equals(plain + "-secure") || protocol.equals(plain + "s");
    }

    /**
     * The channel of a call.
     *
     * @param with its arguments
     */
    Channel channel(Json with) throws CallException {
        String version = root.get("asyncapi").display();
        boolean sends = with.get("subscription").isNull();
        if (version.startsWith("2.")) {
            return with.get("operation").isNull()
                    ? version2(requireName("channel", with.get("channel"), root.get("channels")), sends)
                    : ofOperationId(with.get("operation").display());
        }
        if (!version.startsWith("3.")) {
            throw CallException.configuration(
                    "the document is not AsyncAPI 2 or 3: its 'asyncapi' is '" + version + "'");
        }
        return with.get("operation").isNull() ? version3(with.get("channel")) : ofOperation(with.get("operation"));
    }

    /** A channel of version 2, whose operations are those of its clients. */
    private Channel version2(String name, boolean sends) throws CallException {
        Json item = resolve(root.get("channels").get(name));
        Json operation = item.get(sends ? SEND : RECEIVE);
        if (operation.isNull()) {
            throw CallException.configuration("the channel '%s' has no operation '%s'; it has %s"
                    .formatted(
                            name,
                            sends ? SEND : RECEIVE,
                            CallException.names(item.map().keySet())));
        }
        return version2(name, item, operation);
    }

    private Channel version2(String name, Json item, Json operation) {
        List<String> servers =
                item.get("servers").list().stream().map(Json::display).toList();
        return new Channel(name, name, servers, item, resolve(operation.get("message")));
    }

    private Channel ofOperationId(String id) throws CallException {
        var ids = new ArrayList<String>();
        for (Map.Entry<String, Json> channel : root.get("channels").map().entrySet()) {
            Json item = resolve(channel.getValue());
            for (String action : List.of(SEND, RECEIVE)) {
                Json operationId = item.get(action).get("operationId");
                if (!operationId.isNull()) {
                    ids.add(operationId.display());
                }
                if (operationId.equals(Json.of(id))) {
                    return version2(channel.getKey(), item, item.get(action));
                }
            }
        }
        throw CallException.missing("the document has no operation", id, ids);
    }

    private Channel ofOperation(Json requested) throws CallException {
        String name = requireName("operation", Json.of(last(requested.display())), root.get("operations"));
        Json operation = resolve(root.get("operations").get(name));
        Json reference = operation.get("channel").get("$ref");
        return version3(
                last(reference.display()),
                resolve(operation.get("channel")),
                operation.get("messages").list());
    }

    /** A channel of version 3, by its name or its address. */
    private Channel version3(Json requested) throws CallException {
        Json channels = root.get("channels");
        for (Map.Entry<String, Json> channel : channels.map().entrySet()) {
            Json item = resolve(channel.getValue());
            if (item.get("address").equals(requested)) {
                return version3(channel.getKey(), item, List.of());
            }
        }
        String name = requireName("channel", requested, channels);
        return version3(name, resolve(channels.get(name)), List.of());
    }

    private Channel version3(String name, Json item, List<Json> messages) {
        List<String> servers = item.get("servers").list().stream()
                .map(server -> last(server.get("$ref").display()))
                .toList();
        Json message = messages.isEmpty()
                ? item.get("messages").map().values().stream().findFirst().orElse(Values.NULL)
                : messages.getFirst();
        return new Channel(name, item.get("address").text().orElse(null), servers, item, resolve(message));
    }

    /** The address of a channel, or its name in the protocol of the server. */
    String address(Channel channel, Server server) throws CallException {
        Json topic = resolve(channel.item().get("bindings")).get("kafka").get("topic");
        String address = server.isKafka() && !topic.isNull() ? topic.display() : channel.address();
        if (address == null || ServerVariables.VARIABLE.matcher(address).find()) {
            throw CallException.configuration("the channel '%s' has %s"
                    .formatted(
                            channel.name(),
                            address == null
                                    ? "no address"
                                    : "parameters in its address '" + address + "', which a call cannot give"));
        }
        return address;
    }

    /**
     * The server that a call names, or the first suitable one of the channel.
     *
     * @param with arguments of the call
     */
    Server server(Channel channel, Json with) throws CallException {
        Json requested = with.get("server").get("name");
        Json arguments = with.get("server").get("variables");
        return requested.isNull()
                ? suitable(channel, with.get("protocol").text().orElse(""), arguments)
                : server(requireName("server", requested, root.get("servers")), arguments);
    }

    /**
     * The server to use.
     *
     * @param protocol the required protocol; if empty, the first server with a supported protocol, or else the first
     */
    private Server suitable(Channel channel, String protocol, Json arguments) throws CallException {
        Json servers = root.get("servers");
        Collection<String> candidates =
                channel.servers().isEmpty() ? servers.map().keySet() : channel.servers();
        Server first = null;
        for (String name : candidates) {
            Server server = server(requireName("server", Json.of(name), servers), arguments);
            if (server.supports(protocol)) {
                return server;
            }
            first = first == null ? server : first;
        }
        if (first != null && protocol.isEmpty()) {
            return first;
        }
        throw CallException.configuration("the channel '%s' has no server%s; it has %s"
                .formatted(
                        channel.name(),
                        protocol.isEmpty() ? "" : " of the protocol '" + protocol + "'",
                        CallException.names(candidates)));
    }

    private Server server(String name, Json arguments) throws CallException {
        Json server = resolve(root.get("servers").get(name));
        Json variables = server.get("variables");
        String protocol = server.get("protocol").display();
        Json url = server.get("url");
        String declared = url.isNull()
                ? server.get("host").display() + server.get("pathname").text().orElse("")
                : url.display();
        Matcher parts = URL.matcher(
                ServerVariables.expand(name, declared, variable -> resolve(variables.get(variable)), arguments));
        if (!parts.matches()) {
            throw CallException.configuration("the server '%s' has no host: '%s'".formatted(name, declared));
        }
        return new Server(name, protocol, parts.group(1), parts.group(2) == null ? "" : parts.group(2));
    }

    /** Location of the correlation id in messages, an AsyncAPI expression; null if undefined. */
    Json correlation(Channel channel) {
        return resolve(channel.message().get("correlationId")).get("location");
    }

    /** The media type of the payload; null if undefined. */
    Json contentType(Channel channel) {
        Json contentType = channel.message().get("contentType");
        return contentType.isNull() ? root.get("defaultContentType") : contentType;
    }

    private static String requireName(String kind, Json requested, Json definitions) throws CallException {
        String name = requested.display();
        if (!definitions.map().containsKey(name)) {
            throw CallException.missing(
                    "the document has no " + kind, name, definitions.map().keySet());
        }
        return name;
    }

    /** The last name of a reference, or a name. */
    private static String last(String reference) {
        return JsonPointer.name(reference);
    }

    /** The value that a reference refers to; null for a dangling one. */
    private Json resolve(Json value) {
        Json current = value;
        for (int i = 0; i < MAX_REFERENCES; i++) {
            Optional<String> reference = current.get("$ref").text();
            if (reference.isEmpty()) {
                return current;
            }
            current = reference.get().startsWith("#/")
                    ? JsonPointer.find(root, reference.get().substring(1))
                    : Values.NULL;
        }
        return Values.NULL;
    }
}
