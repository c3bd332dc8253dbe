package dev.parley.workflows.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.workflows.definition.YamlDocument;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.work.AsyncApiDocument.Channel;
import dev.parley.workflows.work.AsyncApiDocument.Server;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AsyncApiDocumentTest {
    private static final Json SECOND = YamlDocument.read("""
            asyncapi: 2.6.0
            servers:
              web: { url: 'https://{region}.shop.example/api', protocol: https,
                     variables: { region: { default: eu, enum: [eu, us] } } }
              events: { url: 'kafka://b1.example:9092,b2.example:9092', protocol: kafka-secure }
              sockets: { url: 'ws.example', protocol: ws }
            channels:
              orders:
                publish: { operationId: sendOrder, message: { $ref: '#/components/messages/order' } }
                bindings: { kafka: { topic: shop.orders } }
              /notices: { servers: [web], publish: { operationId: sendNotice }, subscribe: { operationId: hearNotices } }
              users/{id}: { publish: { operationId: sendUser } }
              talk: { servers: [sockets], subscribe: {} }
            components:
              messages:
                order: { correlationId: { location: '$message.payload#/id' } }
            """);

    private static final Json THIRD = YamlDocument.read("""
            asyncapi: 3.0.0
            servers:
              broker: { host: 'broker.example:{port}', protocol: kafka, variables: { port: { default: '9092' } } }
              web: { host: shop.example, pathname: /api, protocol: https }
            channels:
              orders: { address: shop.orders, servers: [ { $ref: '#/servers/broker' } ],
                        messages: { order: { contentType: application/json } } }
              notices: { address: /notices, servers: [ { $ref: '#/servers/web' } ] }
              away: { address: null }
            operations:
              placeOrder: { action: send, channel: { $ref: '#/channels/orders' } }
              tell: { action: send, channel: { $ref: '#/channels/notices' } }
              lost: { action: send, channel: { $ref: '#/channels/away' } }
            """);

    /** The destination of a call as text, or the error message. */
    private static String place(String version, String with) {
        var document = new AsyncApiDocument(version.equals("2") ? SECOND : THIRD);
        Json arguments = YamlDocument.read(with);
        try {
            Channel channel = document.channel(arguments);
            Server server = document.server(channel, arguments);
            return "%s %s %s%s | %s"
                    .formatted(
                            channel.name(),
                            server.protocol(),
                            server.host(),
                            server.path(),
                            document.address(channel, server));
        } catch (CallException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "2 ~ { channel: orders, protocol: kafka } ~ orders kafka-secure b1.example:9092,b2.example:9092 | shop.orders",
                "2 ~ { operation: sendOrder, server: { name: events } } ~ orders kafka-secure b1.example:9092,b2.example:9092 | shop.orders",
                "2 ~ { channel: orders } ~ orders https eu.shop.example/api | orders",
                "2 ~ { channel: /notices, server: { name: web, variables: { region: us } } } ~ /notices https us.shop.example/api | /notices",
                "3 ~ { operation: placeOrder } ~ orders kafka broker.example:9092 | shop.orders",
                "3 ~ { operation: '#/operations/placeOrder', server: { name: broker, variables: { port: 99 } } } ~ orders kafka broker.example:99 | shop.orders",
                "3 ~ { channel: shop.orders, subscription: {} } ~ orders kafka broker.example:9092 | shop.orders",
                "3 ~ { operation: tell, protocol: http } ~ notices https shop.example/api | /notices",
            })
    void findsTheChannelAndServer(String version, String with, String expected) {
        assertEquals(expected, place(version, with));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "2 ~ { channel: order } ~ the document has no channel 'order'; it has orders, /notices, users/{id}, talk",
                "2 ~ { operation: send } ~ the document has no operation 'send'; it has sendOrder, sendNotice, hearNotices, sendUser",
                "2 ~ { channel: orders, subscription: {} } ~ the channel 'orders' has no operation 'subscribe'; it has publish, bindings",
                "2 ~ { channel: orders, server: { name: x } } ~ the document has no server 'x'; it has web, events, sockets",
                "2 ~ { channel: /notices, protocol: kafka } ~ the channel '/notices' has no server of the protocol 'kafka'; it has web",
                "2 ~ { channel: /notices, server: { name: web, variables: { region: mars } } } ~ the variable 'region' of the server 'web' is one of eu, us, not 'mars'",
                "2 ~ { channel: 'users/{id}' } ~ has parameters in its address 'users/{id}', which a call cannot give",
                "3 ~ { operation: place } ~ the document has no operation 'place'; it has placeOrder, tell, lost",
                "3 ~ { operation: lost } ~ the channel 'away' has no address",
            })
    void namesMissingPartsAndTheAvailableOnes(String version, String with, String expected) {
        assertTrue(place(version, with).contains(expected), () -> place(version, with));
    }

    @ParameterizedTest
    @CsvSource({"1.2.0", "4.0.0", "''"})
    void otherVersionsAreRefused(String version) {
        var document = new AsyncApiDocument(Json.of("asyncapi", Json.of(version)));

        CallException refused =
                assertThrows(CallException.class, () -> document.channel(YamlDocument.read("{ channel: orders }")));

        assertTrue(String.valueOf(refused.getMessage()).contains("not AsyncAPI 2 or 3"), refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"2,'{ channel: orders }',$message.payload#/id", "3,'{ channel: orders }',"})
    void readsTheCorrelationLocation(String version, String with, String expected) throws CallException {
        var document = new AsyncApiDocument(version.equals("2") ? SECOND : THIRD);

        Json location = document.correlation(document.channel(YamlDocument.read(with)));

        assertEquals(expected, location.text().orElse(null));
    }
}
