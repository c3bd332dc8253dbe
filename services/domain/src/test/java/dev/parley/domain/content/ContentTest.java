package dev.parley.domain.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ContentTest {
    @Test
    @Tag("K1")
    void rolesHaveTheirWireNumbers() {
        assertEquals(List.of(Role.USER, Role.ASSISTANT, Role.TOOL), List.of(Role.values()));
    }

    @Test
    @Tag("K2")
    void textIsKeptAsItIs() {
        assertEquals(" a\n\u0000ß😀 ", Message.text(Role.USER, " a\n\u0000ß😀 ").text());
    }

    @Test
    @Tag("K3")
    @Tag("K7")
    void toolArgumentsAreVerbatimAndDefaultToAnEmptyObject() {
        assertEquals(
                new Block.ToolCall("id", "name", "{}", null),
                Message.toolCall("id", "name", "").blocks().getFirst());
        assertEquals(
                new Block.ToolCall("id", "name", "{ \"a\" :1", null),
                Message.toolCall("id", "name", "{ \"a\" :1").blocks().getFirst());
    }

    @Test
    @Tag("K4")
    @Tag("K7")
    void aResultSaysWhetherItIsAnError() {
        assertEquals(
                List.of(new Block.ToolResult("id", "no", true, null)),
                Message.toolResult("id", "no", true).blocks());
    }

    @Test
    @Tag("K7")
    @SuppressWarnings("NullAway")
    void rejectsNullContent() {
        assertThrows(NullPointerException.class, () -> new Block.Text(null, null));
        assertThrows(NullPointerException.class, () -> new Block.ToolResult("id", null, false, null));
    }

    @Test
    @Tag("K7")
    void messageCopiesItsBlocks() {
        // Given
        var blocks = new ArrayList<Block>(List.of(Block.text("one")));
        var message = new Message(Role.USER, blocks, false, null, null);

        // When
        blocks.add(Block.text("two"));

        // Then
        assertEquals("one", message.text());
    }
}
