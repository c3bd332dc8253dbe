package dev.parley.sessions.api;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Lists the todos of a session's agent. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "History")
class TodoReadController {
    private final Views views;
    private final Sessions sessions;
    private final TodoRows rows;

    TodoReadController(Views views, Sessions sessions, TodoRows rows) {
        this.views = views;
        this.sessions = sessions;
        this.rows = rows;
    }

    /**
     * List a session's todos. The current todo list of the agent, in order.
     *
     * @return The todos, at most 100.
     */
    @RequiresCapability(Capability.SESSION_READ)
    @Get(uris = {"/v1/sessions/{key}/todos", "/v1/projects/{project}/sessions/{key}/todos"})
    Page<TodoJson> list(@Nullable @PathVariable String project, @PathVariable String key, Caller caller) {
        SessionJson session = sessions.find(caller, project, key);
        return new Page<>(views.read(caller.tenant(project), () -> rows.findOf(caller.host(), session.id())), null);
    }
}
