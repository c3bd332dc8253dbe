package dev.parley.channels.agui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.Part;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.platform.http.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Parsing of a run's input. */
class RunInputTest {
    private static RunInput read(String json) {
        return RunInput.read(RequestFields.of(ProtocolJson.read(json.getBytes(StandardCharsets.UTF_8))));
    }

    private static RunInput messages(String messages) {
        return read("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[" + messages + "]}");
    }

    private static String invalidParam(String json) {
        return String.valueOf(assertThrows(ProtocolException.class, () -> read(json))
                .failure()
                .param());
    }

    private static List<String> texts(List<Part> parts) {
        return parts.stream().map(Part::text).toList();
    }

    @Test
    @Tag("D23")
    void submitsOnlyMessagesAfterTheLastAssistantMessage() {
        // When
        RunInput input = messages("""
                {"id":"s","role":"system","content":"Be brief."},
                {"id":"u1","role":"user","content":"one"},
                {"id":"a1","role":"assistant","content":"yes"},
                {"id":"u2","role":"user","content":"two"},
                {"id":"p","role":"activity","activityType":"x","content":{}},
                {"id":"d","role":"developer","content":"Now."},
                {"id":"u3","role":"user","content":[{"type":"text","text":"three"}]}
                """);

        // Then
        assertEquals(3, input.firstUnansweredIndex());
        assertEquals(6, input.lastUserMessage());
        assertEquals(List.of("Now.\n\n", "two", "\n\n", "three"), texts(RunStarter.parts(input, 3, 6)));
        assertEquals(List.of("three"), texts(RunStarter.parts(input, 6, 6)));
    }

    @Test
    @Tag("D23")
    void prependsTheContextOfTheApplicationToTheMessage() {
        RunInput input = read("""
                {"threadId":"t","runId":"r","messages":[{"role":"user","content":"hi","id":"1"}],
                 "context":[{"description":"page","value":"orders"}],"tools":[{"name":"x"}],"state":null,"tomorrow":1}
                """);

        assertEquals(List.of("page: orders\n\n", "hi"), texts(RunStarter.parts(input, 0, 0)));
    }

    @Test
    @Tag("D23")
    void readsInlineFilesAndSkipsUrlsAndUnknownParts() {
        RunInput input = messages("""
                {"id":"1","role":"user","content":[
                  {"type":"image","source":{"type":"data","value":"AAAA","mimeType":"image/png"}},
                  {"type":"document","source":{"type":"url","value":"http://127.0.0.1/x"}},
                  {"type":"hologram"}]}
                """);

        List<Part> parts = RunStarter.parts(input, 0, 0);
        assertEquals(new Part("file", null, "AAAA", "image.png", "image/png"), parts.getFirst());
        assertEquals(1, parts.size());
        assertEquals(2, input.skippedParts(0).size());
        RunInput blank = messages("{\"id\":\"1\",\"role\":\"user\",\"content\":\" \"}");
        assertThrows(ApiException.class, () -> RunStarter.parts(blank, 0, 0));
    }

    @Test
    @Tag("D24")
    void readsApprovalAnswers() {
        // When
        RunInput input = read("""
                {"threadId":"t","runId":"r","messages":[],"resume":[
                  {"interruptId":"1","status":"resolved","payload":{"approved":true}},
                  {"interruptId":"2","status":"resolved","payload":{"approved":true,"scope":"session"}},
                  {"interruptId":"3","status":"resolved","payload":{"approved":false,"scope":"session"}},
                  {"interruptId":"4","status":"resolved","payload":true},
                  {"interruptId":"5","status":"cancelled"}]}
                """);

        // Then
        assertEquals(
                List.of(
                        ApprovalAnswer.ONCE,
                        ApprovalAnswer.SESSION,
                        ApprovalAnswer.REJECT,
                        ApprovalAnswer.ONCE,
                        ApprovalAnswer.REJECT),
                input.resume().stream().map(RunInput.Resume::answer).toList());
    }

    @Test
    @Tag("D25")
    void namesTheInvalidField() {
        // Given
        String resume =
                "{\"threadId\":\"t\",\"runId\":\"r\",\"resume\":[{\"interruptId\":\"1\",\"status\":\"%s\",\"payload\":%s}]}";

        // Then
        assertEquals("threadId", invalidParam("{\"runId\":\"r\",\"messages\":[]}"));
        assertEquals("runId", invalidParam("{\"threadId\":\"t\",\"messages\":[]}"));
        assertEquals("messages", invalidParam("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":{}}"));
        assertEquals(
                "messages[0].role",
                invalidParam("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[{\"content\":\"\"}]}"));
        assertEquals("resume[0].status", invalidParam(resume.formatted("maybe", "{}")));
        assertEquals("resume[0].payload.approved", invalidParam(resume.formatted("resolved", "{}")));
        assertEquals("resume[0].payload", invalidParam(resume.formatted("resolved", "\"yes\"")));
        assertEquals(
                "resume[0].payload.editedArgs",
                invalidParam(resume.formatted("resolved", "{\"approved\":true,\"editedArgs\":{}}")));
        assertEquals(
                "resume[0].payload.scope",
                invalidParam(resume.formatted("resolved", "{\"approved\":true,\"scope\":\"reject\"}")));
    }

    @Test
    @Tag("D23")
    void recognizesMessagesOfATurnByTheirIds() {
        // Given
        RunInput input = messages("""
                {"id":"u1","role":"user","content":"one"},
                {"id":"%1$s0","role":"assistant","content":"so","encryptedValue":null,
                 "toolCalls":[{"id":"%1$s0-c","type":"function","function":{"name":"x","arguments":"{}"}}]},
                {"id":"%1$s0-c-result","role":"tool","toolCallId":"%1$s0-c","content":"y"}
                """.formatted(RunEventsTest.OWN));

        // When
        ClientState clientState = ClientState.of(input.messages(), RunEventsTest.OWN);

        // Then
        assertEquals("so", clientState.texts().get(RunEventsTest.OWN + "0"));
        assertEquals(Set.of(RunEventsTest.OWN + "0-c"), clientState.calls());
        assertEquals(Set.of(RunEventsTest.OWN + "0-c"), clientState.results());
        assertFalse(input.messages().get(1).json().has("encryptedValue"));
        assertTrue(ClientState.of(input.messages(), "other-").isEmpty());
        assertEquals(Map.of(), ClientState.of(input.messages(), "other-").texts());
    }
}
