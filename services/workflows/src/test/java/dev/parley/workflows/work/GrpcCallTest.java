package dev.parley.workflows.work;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.StringValue;
import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.config.ToolsConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.power.Grant;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.testkit.GrpcDouble;
import dev.parley.platform.testkit.GrpcDouble.Reply;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import okhttp3.HttpUrl;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code call: grpc} against a server of grpc-java. */
class GrpcCallTest {
    private static final String PROTO = """
        syntax = "proto3";
        package greeting;
        message Name { string name = 1; }
        message Greeting { string text = 1; }
        service Greeter {
          rpc SayHello (Name) returns (Greeting);
          rpc SayHellos (Name) returns (stream Greeting);
          rpc Listen (stream Name) returns (Greeting);
        }
        """;
    private static final ToolsConfig TOOLS = new ToolsConfig(
            null, null, Map.of("env:GREETER", Set.of("127.0.0.1"), "env:OTHER", Set.of("other.example")), List.of());
    private static final Grant CALLERS =
            new Grant(true, Set.of(new CatalogueScope(new UUID(0, 1), RecordKey.projectId("p"))), Set.of());
    private static final PowerGrants POWERS = new PowerGrants(
            Map.of(
                    Power.privateHost("127.0.0.1"),
                    CALLERS,
                    Power.secret("env:GREETER"),
                    CALLERS,
                    Power.secret("env:OTHER"),
                    CALLERS),
            true);

    private HttpDouble files;
    private Outbound outbound;
    private GrpcCall grpc;

    @BeforeEach
    void open() throws IOException {
        files = new HttpDouble();
        outbound = new Outbound(
                TOOLS,
                POWERS,
                new Secrets(
                        Map.of("GREETER", "s3cret", "OTHER", "0ther"),
                        TOOLS.secrets().keySet()));
        grpc = new GrpcCall(new HttpExchange(outbound), new GrpcExchange(outbound));
    }

    @AfterEach
    void close() {
        outbound.close();
        files.close();
    }

    private static WorkRequest request(Duration time) {
        Instant deadline = Instant.now().plus(time);
        return new WorkRequest(
                UUID.randomUUID(),
                1,
                new ProcessRef(new UUID(0, 1), "p", new UUID(0, 2)),
                "greet",
                "greet",
                "grpc",
                "{}",
                "key-1",
                null,
                0,
                deadline,
                deadline,
                false);
    }

    private static Cancellation within(Duration time) {
        return new Cancellation(Deadline.in(time));
    }

    private Json with(int port, String extra) {
        files.answers(HttpDouble.body(200, "text/plain", PROTO));
        return JsonText.read("""
            {"proto":{"endpoint":"%s/greeter.proto"},"method":"SayHello","arguments":{"name":"Ann"},
             "service":{"name":"greeting.Greeter","host":"127.0.0.1","port":%d}%s}\
            """.formatted(files.url(), port, extra));
    }

    private Json call(Json with) throws CallException, InterruptedException {
        return grpc.call(request(Duration.ofSeconds(20)), with, within(Duration.ofSeconds(20)))
                .orElseThrow();
    }

    private WorkflowError failure(Json with) {
        return assertThrows(CallException.class, () -> call(with)).error();
    }

    private static String text(byte[] message) {
        try {
            return StringValue.parseFrom(message).getValue();
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Reply hello(GrpcDouble.Seen call) {
        return Reply.of(StringValue.of("Hello " + text(call.message())).toByteArray());
    }

    @Test
    @Tag("W29")
    void callsAMethodWithIdempotencyKeyAndBearerToken() throws Exception {
        try (var greeter = new GrpcDouble(GrpcCallTest::hello)) {
            // Given
            Json with = with(greeter.port(), "");
            Json service = with.get("service")
                    .with("authentication", Json.of("bearer", Json.of("token", Json.of("env:GREETER"))));

            // When
            Json answer = call(with.with("service", service));

            // Then
            assertEquals(JsonText.read("{\"text\":\"Hello Ann\"}"), answer);
            var request = greeter.seen().getFirst();
            assertEquals("greeting.Greeter/SayHello", request.method());
            assertEquals("key-1", request.metadata().get("idempotency-key"));
            assertEquals("Bearer s3cret", request.metadata().get("authorization"));
            assertTrue(request.hasDeadline());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "CANCELLED, 499",
        "UNKNOWN, 500",
        "INVALID_ARGUMENT, 400",
        "DEADLINE_EXCEEDED, 504",
        "NOT_FOUND, 404",
        "ALREADY_EXISTS, 409",
        "PERMISSION_DENIED, 403",
        "RESOURCE_EXHAUSTED, 429",
        "FAILED_PRECONDITION, 400",
        "ABORTED, 409",
        "OUT_OF_RANGE, 400",
        "UNIMPLEMENTED, 501",
        "INTERNAL, 500",
        "UNAVAILABLE, 503",
        "DATA_LOSS, 500",
        "UNAUTHENTICATED, 401",
    })
    @Tag("W29")
    void mapsGrpcStatusToHttpStatus(Status.Code code, int http) throws Exception {
        try (var greeter =
                new GrpcDouble(_ -> Reply.of(code.toStatus().withDescription("no größe + 100 %\nfor you")))) {
            WorkflowError error = failure(with(greeter.port(), ""));

            assertEquals(WorkflowError.Standard.COMMUNICATION.type(), error.type());
            assertEquals(http, error.status());
            assertEquals(
                    "greeting.Greeter/SayHello is answered with " + code + ": no größe + 100 %\nfor you",
                    error.detail());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                ",\"method\":\"SayHellos\" ~ greeting.Greeter.SayHellos streams",
                ",\"method\":\"Listen\" ~ greeting.Greeter.Listen streams",
                ",\"method\":\"Shout\" ~ has no method 'Shout'; it has SayHello, SayHellos, Listen",
                ",\"arguments\":{\"nam\":1} ~ not a message of the type greeting.Name: Cannot find field: nam",
                ",\"service\":{\"name\":\"Farewell\"} ~ has no service 'Farewell'; it has greeting.Greeter",
                ",\"service\":{\"name\":\"Greeter\",\"host\":\"a b\"} ~ a service has the name of a host",
                ",\"service\":{\"name\":\"Greeter\",\"host\":\"h\",\"port\":0.5} ~ a port from 1 to 65535, not 'h' and"
                        + " '0.5'",
                ",\"service\":{\"name\":\"Greeter\",\"host\":\"h\",\"port\":\"x\"} ~ not 'h' and 'x'",
                ",\"service\":{\"name\":\"Greeter\",\"host\":\"h\",\"authentication\":{\"oauth2\":{}}} ~ basic and"
                        + " bearer are",
                ",\"service\":{\"name\":\"Greeter\",\"host\":\"h\",\"authentication\":{\"bearer\":{\"token\":\"env:OTHER\"}}}"
                        + " ~ is not for h",
                ",\"proto\":{\"endpoint\":\"file://app/greet.proto\"} ~ endpoint is a URL such as https",
            })
    @Tag("W29")
    void rejectsInvalidCallsBeforeSending(String extraMembers, String expected) {
        WorkflowError error = failure(with(1, extraMembers));

        assertEquals(WorkflowError.Standard.CONFIGURATION.type(), error.type());
        assertTrue(String.valueOf(error.detail()).contains(expected), error.detail());
    }

    @Test
    @Tag("W29")
    void rejectsInvalidOversizedAndMissingProtos() {
        files.answers(
                HttpDouble.body(200, "text/html", "<html>"),
                HttpDouble.body(200, "text/plain", "// " + "x".repeat(GrpcCall.MAX_PROTO_LENGTH)),
                HttpDouble.body(404, "text/plain", ""));
        Json with = JsonText.read("{\"proto\":{\"endpoint\":{\"uri\":\"%s/a.proto\"}}}".formatted(files.url()));

        assertTrue(String.valueOf(failure(with).detail()).contains("a.proto cannot be read"));
        assertTrue(String.valueOf(failure(with).detail()).contains("more than 262,144 characters"));
        assertEquals(404, failure(with).status());
    }

    @Test
    @Tag("W29")
    void aPrivateHostIsNotReached() throws Exception {
        // Given
        try (var greeter = new GrpcDouble(GrpcCallTest::hello)) {
            for (String host : List.of("localhost", "127.0.0.2", "10.1.2.3", "::1")) {
                Json with = with(greeter.port(), "");
                Json service = with.get("service").with("host", Json.of(host));

                // When
                WorkflowError error = failure(with.with("service", service));

                // Then
                assertTrue(String.valueOf(error.detail()).contains("tools.allowedHosts"), error.detail());
            }
            assertEquals(List.of(), greeter.seen());
        }
    }

    @Test
    void usesPlainTextForAllowedHostsOnly() {
        // Given
        var exchange = new GrpcExchange(outbound);

        // Then
        assertEquals(
                "http://127.0.0.1:50051/a.B/C",
                exchange.url(request(Duration.ofMinutes(1)), "127.0.0.1", 50_051, "a.B", "C")
                        .toString());
        assertEquals(
                "https://127.0.0.1/a.B/C",
                exchange.url(request(Duration.ofMinutes(1)), "127.0.0.1", 443, "a.B", "C")
                        .toString());
        assertEquals(
                "http://127.0.0.1/a.B/C",
                exchange.url(request(Duration.ofMinutes(1)), "127.0.0.1", 80, "a.B", "C")
                        .toString());
        assertEquals(
                "https://api.example:50051/a.B/C",
                exchange.url(request(Duration.ofMinutes(1)), "API.example", 50_051, "a.B", "C")
                        .toString());
    }

    @Test
    @Tag("W29")
    void rejectsOversizedSeveralInvalidAndMissingMessages() throws Exception {
        // Given
        byte[] message = StringValue.of("x").toByteArray();
        byte[] long1 = StringValue.of("x".repeat(GrpcExchange.MAX_BYTES)).toByteArray();
        var replies = List.of(
                        Reply.of(long1),
                        new Reply(List.of(message, message), Status.OK),
                        Reply.of(new byte[] {1, 2, 3}),
                        Reply.of(Status.OK))
                .iterator();
        try (var greeter = new GrpcDouble(_ -> replies.next())) {
            for (String expected : List.of(
                    "longer than 1 MiB", "several messages", "not a message of the type", "OK and no message")) {
                // When
                WorkflowError error = failure(with(greeter.port(), ""));

                // Then
                assertEquals(WorkflowError.Standard.COMMUNICATION.type(), error.type());
                assertTrue(String.valueOf(error.detail()).contains(expected), error.detail());
            }
        }
    }

    @Test
    void reportsAServerOfAnotherProtocol() {
        WorkflowError error = failure(with(files.url().getPort(), ""));

        assertEquals(WorkflowError.Standard.COMMUNICATION.type(), error.type());
        assertTrue(String.valueOf(error.detail()).startsWith("no answer from 127.0.0.1"), error.detail());
    }

    @Test
    @Tag("W29")
    void cancelledCallCancelsTheRequest() throws Exception {
        // Given
        try (var greeter = new GrpcDouble(_ -> new Reply(List.of()))) {
            var cancellation = new Cancellation();
            Json with = with(greeter.port(), "");
            var running = CompletableFuture.supplyAsync(() -> assertThrows(
                    InterruptedException.class, () -> grpc.call(request(Duration.ofMinutes(5)), with, cancellation)));
            Awaitility.await().until(() -> !greeter.seen().isEmpty());

            // When
            cancellation.cancel(Cancellation.Reason.CANCELLED);

            // Then
            assertTrue(greeter.isCancelledWithin(20));
            assertEquals("cancelled", running.get().getMessage());
        }
    }

    @Test
    void aCallEndsAtItsDeadline() throws Exception {
        try (var greeter = new GrpcDouble(_ -> new Reply(List.of()))) {
            Json with = with(greeter.port(), "");

            var error = assertThrows(
                    CallException.class,
                    () -> grpc.call(request(Duration.ofSeconds(1)), with, within(Duration.ofSeconds(1))));

            assertEquals(
                    WorkflowError.Standard.COMMUNICATION.type(), error.error().type());
            assertTrue(greeter.isCancelledWithin(20));
        }
    }

    @Test
    @Tag("W29")
    void aCallIsMadeOverTls(@TempDir Path folder) throws Exception {
        // Given
        Path store = folder.resolve("store.p12");
        certificate(store);
        KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
        Path certificate =
                pem(folder, "CERTIFICATE", keys.getCertificate("greeter").getEncoded());
        Path key = pem(
                folder,
                "PRIVATE KEY",
                keys.getKey("greeter", "changeit".toCharArray()).getEncoded());
        byte[] message = StringValue.of("Ann").toByteArray();
        System.setProperty("javax.net.ssl.trustStore", store.toString());
        System.setProperty("javax.net.ssl.trustStorePassword", "changeit");
        try (var greeter = new GrpcDouble(GrpcCallTest::hello, certificate, key);
                var trusting = new Outbound(TOOLS, POWERS, new Secrets(Map.of(), Set.of()))) {
            HttpUrl url = HttpUrl.get("https://127.0.0.1:" + greeter.port() + "/greeting.Greeter/SayHello");
            WorkRequest request = request(Duration.ofSeconds(20));

            // When
            byte[] answer =
                    new GrpcExchange(trusting).call(request, url, message, Optional.empty(), new Cancellation());
            var untrusted = assertThrows(
                    CallException.class,
                    () -> new GrpcExchange(outbound).call(request, url, message, Optional.empty(), new Cancellation()));

            // Then
            assertArrayEquals(StringValue.of("Hello Ann").toByteArray(), answer);
            assertTrue(String.valueOf(untrusted.getMessage()).contains("SSL"), untrusted.getMessage());
            assertEquals(1, greeter.seen().size());
        } finally {
            System.clearProperty("javax.net.ssl.trustStore");
            System.clearProperty("javax.net.ssl.trustStorePassword");
        }
    }

    private static void certificate(Path store) throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "greeter",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=greeter",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-keystore",
                        store.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "changeit")
                .inheritIO()
                .start();
        assertEquals(0, keytool.waitFor());
    }

    private static Path pem(Path folder, String label, byte[] bytes) throws IOException {
        Path file = folder.resolve(label.replace(' ', '-') + ".pem");
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(label, text));
    }
}
