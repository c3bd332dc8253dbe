package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.content.Todo;
import dev.parley.domain.content.TodoStatus;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnEvent.TodosChanged;
import dev.parley.domain.protocol.TurnEvent.ToolCalled;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TodosTest {
    private static final Todo DONE = new Todo("Read the report", "Reading the report", TodoStatus.COMPLETED);
    private static final Todo ACTIVE = new Todo("Write \"it\" up", "Writing it up", TodoStatus.IN_PROGRESS);
    private static final Todo NEXT = new Todo("Send it", "Sending it", TodoStatus.PENDING);

    private final SessionFixture session = new SessionFixture();

    private void writes(Todo... todos) {
        writes(Todos.json(List.of(todos)));
    }

    private void writes(String arguments) {
        session.modelCalls(SessionFixture.call("t", "todo_write", arguments));
    }

    private ToolCalled result() {
        return session.events(ToolCalled.class).getLast();
    }

    /** Progress texts that subscribers get, oldest first. */
    private List<String> progress() {
        return session.effects(TurnEffect.PublishDelta.class).stream()
                .map(TurnEffect.PublishDelta::delta)
                .filter(delta -> delta.kind() == TurnDelta.Kind.PROGRESS)
                .map(TurnDelta::text)
                .toList();
    }

    @Test
    @Tag("I109")
    void theListIsKeptInOrderAndItsActiveItemIsShown() {
        // Given
        session.says("report");

        // When
        writes(DONE, ACTIVE, NEXT);

        // Then
        assertEquals(List.of(DONE, ACTIVE, NEXT), session.state().todos());
        assertEquals(List.of(DONE, ACTIVE, NEXT), session.todosTold());
        assertEquals(List.of("Writing it up"), progress());
        assertEquals("3 todos: 1 pending, 1 in_progress, 1 completed", result().content());
    }

    @Test
    void aListWithoutAnActiveItemEndsTheProgress() {
        // Given
        session.says("report");
        writes(ACTIVE);

        // When
        writes(DONE);

        // Then
        assertEquals(List.of("Writing it up", ""), progress());
    }

    @Test
    @Tag("I110")
    void twoActiveItemsAreAnErrorAndChangeNothing() {
        // Given
        session.says("report");
        writes(ACTIVE, NEXT);

        // When
        writes(ACTIVE, ACTIVE);

        // Then
        assertEquals(ToolStatus.ERROR, result().status());
        assertEquals(
                "error: 2 todos are in_progress: at most one may be, make the others pending or completed",
                result().content());
        assertEquals(List.of(ACTIVE, NEXT), session.state().todos());
        assertEquals(1, session.events(TodosChanged.class).size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"todos":[{"content":"a","activeForm":"b","status":"done"}]} | error: todo 1: its status must be pending, in_progress or completed
            {"todos":[{"content":" ","activeForm":"b","status":"pending"}]} | error: todo 1: content must have 1 to 500 characters
            {"todos":[{"content":"a","status":"pending"}]} | error: todo 1: activeForm must have 1 to 500 characters
            {"todos":{}} | error: todo_write needs the whole list
            {"todos":["a"]} | error: todo_write needs the whole list
            {"todo":[]} | error: todo_write needs the whole list
            {"todos":[ | error: todo_write needs the whole list
            {"todos":[] | error: todo_write needs the whole list
            {"todos":[{} 1]} | error: todo_write needs the whole list
            {"todos":{"todos":[]}} | error: todo_write needs the whole list
            {"todos":["a",{"todos":[]}]} | error: todo_write needs the whole list
            [] | error: todo_write needs the whole list
            """)
    void rejectsAnInvalidListWithAnExplanation(String arguments, String error) {
        // Given
        session.says("report");

        // When
        writes(arguments);

        // Then
        assertTrue(result().content().startsWith(error), result().content());
        assertEquals(List.of(), session.events(TodosChanged.class));
    }

    @Test
    void aListHasAtMostAHundredItemsOfAtMostFiveHundredCharacters() {
        // Given
        session.says("report");
        var longest = new Todo("ä".repeat(500), "𝄞".repeat(500), TodoStatus.PENDING);
        var full = Collections.nCopies(100, longest);

        // When
        writes(Todos.json(full));
        writes(Todos.json(Stream.concat(full.stream(), Stream.of(NEXT)).toList()));

        // Then
        assertEquals(
                "error: 101 todos are too many: at most 100 may be in the list, leave out what is done",
                result().content());
        assertEquals(full, session.state().todos());
        writes(Todos.json(List.of(longest)).replace("ää", "äää"));
        assertEquals(ToolStatus.ERROR, result().status());
    }

    @Test
    void theListCanBeReadAlsoInALaterTurn() {
        // Given
        session.says("report");
        writes(ACTIVE, NEXT);
        session.modelAnswers("soon");

        // When
        session.says("how far is it?");
        session.modelCalls(SessionFixture.call("r", "todo_read", "{}"));

        // Then
        assertEquals(Todos.json(List.of(ACTIVE, NEXT)), result().content());
    }

    @Test
    void listEndsWithItsContextOrSession() {
        for (Runnable end : List.<Runnable>of(
                () -> session.resets(Reset.CLEAR),
                () -> session.resets(Reset.NEW),
                () -> session.changes(Change.DELETE),
                () -> session.changes(Change.ERASE))) {
            // Given
            session.says("report");
            writes(ACTIVE);
            session.modelAnswers("soon");
            assertEquals(List.of(ACTIVE), session.todosTold());

            // When
            end.run();

            // Then
            assertEquals(List.of(), session.todosTold());
        }
    }

    @Test
    void undoKeepsTheList() {
        // Given
        session.says("report");
        writes(ACTIVE);
        session.modelAnswers("soon");

        // When
        session.resets(Reset.UNDO);

        // Then
        assertEquals(List.of(ACTIVE), session.state().todos());
    }

    @Test
    void aForkBeginsWithoutTodos() {
        // Given
        session.says("report");
        writes(ACTIVE);
        session.modelAnswers("soon");
        var target = session.other("web:2");
        target.says("other");
        target.modelCalls(SessionFixture.call("t", "todo_write", Todos.json(List.of(NEXT))));
        target.modelAnswers("later");

        // When
        session.forksTo(target);

        // Then
        assertEquals(List.of(), target.state().todos());
    }
}
