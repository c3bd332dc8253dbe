package dev.parley.workflows.work;

import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.work.AsyncApiDocument.Channel;
import dev.parley.workflows.work.AsyncApiDocument.Server;
import java.util.Optional;

/**
 * {@code call: asyncapi}: publishes a message to a channel by Kafka or HTTP, or fetches the next messages of a Kafka
 * subscription.
 */
record AsyncApiCall(HttpExchange http, KafkaChannel kafka) implements CallExecutor {
    @Override
    public String function() {
        return "asyncapi";
    }

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        if (with.get("cursor") instanceof Json.Obj cursor) {
            return Optional.of(kafka.next(request, cursor, cancellation));
        }
        Json endpoint = with.get("document").get("endpoint");
        var document = new AsyncApiDocument(http.document(request, endpoint, cancellation));
        Channel channel = document.channel(with);
        Server server = document.server(channel, with);
        String address = document.address(channel, server);
        boolean publishes = with.get("subscription").isNull();
        if (server.isKafka()) {
            checkNoAuthentication(with);
            return Optional.of(
                    publishes
                            ? kafka.publish(
                                    request, server.host(), address, with.get("message"), cancellation.deadline())
                            : kafka.begin(
                                    request, server.host(), address, document.correlation(channel), cancellation));
        }
        if (server.isHttp() && publishes) {
            return Optional.of(post(request, server, address, with, document.contentType(channel), cancellation));
        }
        throw unsupportedProtocol(server, publishes);
    }

    private static void checkNoAuthentication(Json with) throws CallException {
        if (!with.get("authentication").isNull()) {
            throw CallException.configuration("the operator sets the authentication of brokers"
                    + " (workflows.kafka in parley.yml); remove 'authentication'");
        }
    }

    private static CallException unsupportedProtocol(Server server, boolean publishes) {
        return CallException.configuration("the server '%s' uses '%s', for which %s not supported; %s"
                .formatted(
                        server.name(),
                        server.protocol(),
                        publishes ? "publishing is" : "subscriptions are",
                        publishes ? "use kafka or http" : "use kafka"));
    }

    private Json post(
            WorkRequest request, Server server, String address, Json with, Json contentType, Cancellation cancellation)
            throws CallException, InterruptedException {
        String url = server.protocol() + "://" + server.host() + joinPath(server.path(), address);
        return new HttpCall(http)
                .exchange(
                        request,
                        "POST",
                        HttpExchange.url(Json.of(url), Values.NULL),
                        toHttpMessage(with.get("message"), contentType),
                        with.get("authentication"),
                        cancellation);
    }

    private static String joinPath(String path, String address) {
        String front = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return front + (address.startsWith("/") ? "" : "/") + address;
    }

    private static Json toHttpMessage(Json message, Json contentType) {
        Json headers = message.get("headers").isNull() ? Values.EMPTY_OBJECT : message.get("headers");
        boolean typed = headers.map().keySet().stream().anyMatch("content-type"::equalsIgnoreCase);
        boolean isText = message.get("payload") instanceof Json.Str;
        if (!typed && (isText || !contentType.isNull())) {
            Json type = contentType.isNull() ? Json.of("text/plain; charset=utf-8") : contentType;
            headers = headers.with("Content-Type", type);
        }
        return Json.of("headers", headers).with("body", message.get("payload"));
    }
}
