package dev.parley.domain.turn;

import dev.parley.domain.Coded;
import dev.parley.domain.JsonWriter;
import dev.parley.domain.content.Todo;
import dev.parley.domain.content.TodoStatus;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnEvent.TodosChanged;
import dev.parley.domain.turn.answer.ToolArguments;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The todo list tools. A model always writes the whole list, so that concurrent edits cannot mix. */
final class Todos {
    private static final String USAGE =
            "todo_write needs the whole list, {\"todos\":[{\"content\": …, \"activeForm\": …, "
                    + "\"status\": \"pending\"|\"in_progress\"|\"completed\"}, …]}";

    private Todos() {}

    /**
     * Replaces the session's list. Returns the result for the model.
     *
     * @throws IllegalArgumentException if the list is invalid; the message is for the model
     */
    static String write(TurnDraft draft, ToolCall call) {
        List<Todo> todos = read(call.arguments());
        draft.emit(new TodosChanged(draft.turnMeta(), todos));
        String active = Todo.active(todos).map(Todo::activeForm).orElse("");
        Calls.publish(draft, TurnDelta.Kind.PROGRESS, active, null, null);
        return todos.size() + " todos: " + counts(todos);
    }

    private static String counts(List<Todo> todos) {
        return Stream.of(TodoStatus.values())
                .map(status ->
                        todos.stream().filter(todo -> todo.status() == status).count() + " " + status.code())
                .collect(Collectors.joining(", "));
    }

    /**
     * Parses the list in the arguments.
     *
     * @throws IllegalArgumentException if it is invalid; the message is for the model
     */
    static List<Todo> read(String arguments) {
        List<ToolArguments> items =
                ToolArguments.objects(arguments, "todos").orElseThrow(() -> new IllegalArgumentException(USAGE));
        var todos = new ArrayList<Todo>();
        for (ToolArguments item : items) {
            try {
                todos.add(new Todo(item.text("content"), item.text("activeForm"), status(item.text("status"))));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("todo %d: %s".formatted(todos.size() + 1, e.getMessage()), e);
            }
        }
        return Todo.requireValid(todos);
    }

    private static TodoStatus status(String code) {
        return Coded.of(TodoStatus.class, code)
                .orElseThrow(
                        () -> new IllegalArgumentException("its status must be pending, in_progress or completed"));
    }

    /** The list as JSON, in the format that models write. */
    static String json(List<Todo> todos) {
        return JsonWriter.text(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("todos");
            for (Todo todo : todos) {
                json.writeStartObject();
                json.writeStringField("content", todo.content());
                json.writeStringField("activeForm", todo.activeForm());
                json.writeStringField("status", todo.status().code());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }
}
