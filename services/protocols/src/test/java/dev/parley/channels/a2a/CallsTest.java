package dev.parley.channels.a2a;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.a2a.A2aException.Code;
import dev.parley.channels.a2a.A2aVersion.Method;
import dev.parley.channels.a2a.MessageRequest.Answer;
import dev.parley.channels.contract.Part;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.platform.http.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Parsing of A2A requests, and the error codes of invalid ones. */
class CallsTest {
    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static MessageRequest read(A2aVersion dialect, String params) {
        return MessageRequest.read(dialect, RequestFields.of(ProtocolJson.read(bytes(params))));
    }

    private static MessageRequest message(A2aVersion dialect, String parts) {
        String role = dialect == A2aVersion.V1_0 ? "ROLE_USER" : "user";
        return read(
                dialect,
                "{\"message\":{\"messageId\":\"m\",\"role\":\"%s\",\"contextId\":\"\",\"parts\":[%s]}}"
                        .formatted(role, parts));
    }

    private static Code code(Executable call) {
        return assertThrows(A2aException.class, call).failure().code();
    }

    @Test
    @Tag("D30")
    void rejectsMethodsOfTheOtherProtocolVersion() {
        // Then
        assertEquals(A2aVersion.V0_3, A2aVersion.of(null));
        assertEquals(A2aVersion.V0_3, A2aVersion.of(""));
        assertEquals(A2aVersion.V0_3, A2aVersion.of("0.3.0"));
        assertEquals(A2aVersion.V1_0, A2aVersion.of("1.0"));
        assertEquals(Code.VERSION_NOT_SUPPORTED, code(() -> A2aVersion.of("0.2")));
        assertEquals(Code.VERSION_NOT_SUPPORTED, code(() -> A2aVersion.of("x")));
        assertEquals(Method.SEND, A2aVersion.V0_3.method("message/send"));
        assertEquals(Method.SUBSCRIBE, A2aVersion.V1_0.method("SubscribeToTask"));
        var unknown = assertThrows(A2aException.class, () -> A2aVersion.V0_3.method("SendMessage"));
        assertEquals(Code.METHOD_NOT_FOUND, unknown.failure().code());
        assertTrue(unknown.failure().message().contains("A2A-Version"));
        assertEquals(Code.METHOD_NOT_FOUND, code(() -> A2aVersion.V1_0.method("tasks/get")));
    }

    @Test
    @Tag("D31")
    void readsPartsOfBothVersions() {
        // When
        MessageRequest now = message(
                A2aVersion.V1_0,
                "{\"text\":\"hi\"},{\"data\":{\"a\":1}},{\"raw\":\"AAAA\",\"mediaType\":\"image/png\",\"filename\":\"x.png\"}");
        MessageRequest old = message(
                A2aVersion.V0_3,
                "{\"kind\":\"text\",\"text\":\"hi\"},{\"kind\":\"file\",\"file\":{\"bytes\":\"AAAA\",\"name\":\"x.png\",\"mimeType\":\"image/png\"}}");

        // Then
        assertEquals(
                List.of("hi", "{\"a\":1}"),
                now.parts().stream().map(Part::text).toList().subList(0, 2));
        assertEquals(now.parts().getLast(), old.parts().getLast());
        assertNull(now.context());
        assertTrue(now.waits() && now.history());
        assertEquals(
                Code.CONTENT_TYPE_NOT_SUPPORTED,
                code(() -> message(A2aVersion.V1_0, "{\"url\":\"http://127.0.0.1/\",\"mediaType\":\"image/png\"}")));
        assertEquals(
                Code.CONTENT_TYPE_NOT_SUPPORTED,
                code(() -> message(A2aVersion.V0_3, "{\"kind\":\"file\",\"file\":{\"uri\":\"http://127.0.0.1/\"}}")));
    }

    @Test
    @Tag("D35")
    void rejectsInvalidRequestsWithTheirErrorCode() {
        assertEquals(Code.PARSE_ERROR, code(() -> RpcRequest.read(bytes("{"))));
        assertEquals(
                Code.INVALID_REQUEST, code(() -> RpcRequest.read(bytes("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}"))));
        assertEquals(Code.INVALID_REQUEST, code(() -> RpcRequest.read(bytes("{\"id\":1,\"method\":\"x\"}"))));
        assertEquals(
                Code.INVALID_PARAMS,
                code(() -> RpcRequest.read(bytes("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":[]}"))));
        assertEquals(Code.INVALID_PARAMS, code(() -> read(A2aVersion.V1_0, "{}")));
        assertEquals(Code.INVALID_PARAMS, code(() -> message(A2aVersion.V1_0, "")));
        assertThrows(
                ProtocolException.class,
                () -> read(
                        A2aVersion.V1_0,
                        "{\"message\":{\"messageId\":\"m\",\"role\":\"user\",\"parts\":[{\"text\":\"x\"}]}}"));
        JsonNode error = RpcRequest.error(null, A2aException.noTask("t").failure());
        assertTrue(error.get("id").isNull());
        assertEquals(-32001, error.at("/error/code").asInt());
        assertEquals("TASK_NOT_FOUND", error.at("/error/data/0/reason").asText());
        assertTrue(RpcRequest.read(bytes("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"x\"}"))
                .params()
                .json()
                .isEmpty());
        var busy = A2aException.of(ApiException.badRequest("x", "why"));
        assertEquals(200, busy.failure().status());
        assertEquals(401, A2aException.failure(401, "no", null).status());
        assertEquals(429, A2aException.failure(429, "later", null).status());
    }

    @Test
    @Tag("D34")
    void rejectsPushNotificationConfigs() {
        String now =
                "{\"message\":{},\"configuration\":{\"taskPushNotificationConfig\":{\"url\":\"http://127.0.0.1\"}}}";
        String old = "{\"message\":{},\"configuration\":{\"pushNotificationConfig\":{\"url\":\"http://127.0.0.1\"}}}";

        assertEquals(Code.PUSH_NOTIFICATION_NOT_SUPPORTED, code(() -> read(A2aVersion.V1_0, now)));
        assertEquals(Code.PUSH_NOTIFICATION_NOT_SUPPORTED, code(() -> read(A2aVersion.V0_3, old)));
        assertEquals(Method.PUSH, A2aVersion.V0_3.method("tasks/pushNotificationConfig/set"));
        assertEquals(-32003, Code.PUSH_NOTIFICATION_NOT_SUPPORTED.number());
    }

    @Test
    @Tag("D33")
    void readsApprovalAnswersFromTextOrData() {
        assertEquals(
                List.of(new Answer(null, ApprovalAnswer.ONCE)),
                message(A2aVersion.V1_0, "{\"text\":\" Yes. \"}").answers());
        assertEquals(
                List.of(new Answer(null, ApprovalAnswer.REJECT)),
                message(A2aVersion.V1_0, "{\"text\":\"no\"}").answers());
        assertEquals(
                List.of(new Answer("q1", ApprovalAnswer.SESSION), new Answer("q2", ApprovalAnswer.REJECT)),
                message(
                                A2aVersion.V1_0,
                                "{\"data\":{\"question\":\"q1\",\"approved\":true,\"scope\":\"session\"}},{\"data\":{\"question\":\"q2\",\"approved\":false}}")
                        .answers());
        MessageRequest unclear = message(A2aVersion.V1_0, "{\"text\":\"what would it do?\"}");
        assertEquals(Code.INVALID_PARAMS, code(unclear::answers));
        MessageRequest invalidScope = message(A2aVersion.V1_0, "{\"data\":{\"approved\":true,\"scope\":\"ever\"}}");
        assertEquals(Code.INVALID_PARAMS, code(invalidScope::answers));
        assertFalse(invalidScope.data().isEmpty());
    }
}
