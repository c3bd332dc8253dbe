package dev.parley.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.mcp.RpcMessage.Notification;
import dev.parley.mcp.RpcMessage.Request;
import dev.parley.mcp.RpcMessage.UnreadableException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RpcMessageTest {
    private static RpcMessage read(String json) throws UnreadableException {
        return RpcMessage.read(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void answerRepeatsTheRequestId() throws Exception {
        var request = assertInstanceOf(Request.class, read("""
                {"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"_meta":{"x":1}}}"""));

        assertEquals("tools/list", request.method());
        assertEquals(1, request.meta().get("x").asInt());
        assertEquals(
                "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}",
                request.answer(McpJson.object()).toString());
    }

    @Test
    void readsANotification() throws Exception {
        assertInstanceOf(Notification.class, read("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {                                                        | -32700
                    ''                                                       | -32700
                    {"jsonrpc":"2.0","id":1,"method":"a"} x                  | -32700
                    {"jsonrpc":"2.0","id":1,"id":2,"method":"a"}             | -32700
                    []                                                       | -32600
                    [{"jsonrpc":"2.0","id":1,"method":"ping"}]               | -32600
                    "text"                                                   | -32600
                    {"id":1,"method":"ping"}                                 | -32600
                    {"jsonrpc":"1.0","id":1,"method":"ping"}                 | -32600
                    {"jsonrpc":"2.0","id":1}                                 | -32600
                    {"jsonrpc":"2.0","id":1,"method":7}                      | -32600
                    {"jsonrpc":"2.0","id":null,"method":"ping"}              | -32600
                    {"jsonrpc":"2.0","id":1.5,"method":"ping"}               | -32600
                    {"jsonrpc":"2.0","id":{},"method":"ping"}                | -32600
                    {"jsonrpc":"2.0","id":1,"method":"ping","params":[]}     | -32600
                    {"jsonrpc":"2.0","id":1,"result":{}}                     | -32600
                    """)
    void rejectsInvalidMessagesWithAnErrorCode(String json, int code) {
        var e = assertThrows(UnreadableException.class, () -> read(json));
        assertEquals(code, e.error().code());
        assertEquals(400, e.error().status());
    }

    @Test
    void rejectsInvalidUtf8() {
        byte[] bytes = {'"', (byte) 0xC3, '"'};
        assertEquals(
                -32700,
                assertThrows(UnreadableException.class, () -> RpcMessage.read(bytes))
                        .error()
                        .code());
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "\"a\""})
    void errorRepeatsAReadableId(String id) {
        var e = assertThrows(UnreadableException.class, () -> read("{\"jsonrpc\":\"2.0\",\"id\":" + id + "}"));
        assertEquals(id, String.valueOf(e.id()));
    }

    @Test
    void errorWithoutAnIdOmitsTheField() {
        assertNull(McpException.unreadable().json(null).get("id"));
    }
}
