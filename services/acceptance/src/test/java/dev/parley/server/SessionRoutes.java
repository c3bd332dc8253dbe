package dev.parley.server;

import static java.util.Map.entry;

import dev.parley.domain.access.SessionStanding.Use;
import java.util.List;
import java.util.Map;

/** What each route of a session is: the end of its path, after the key, with the method. */
final class SessionRoutes {
    /** Read, write (a guest's own turns included) and manage; see {@link Use}. */
    static final Map<String, Use> USES = Map.ofEntries(
            entry("GET ", Use.READ),
            entry("GET /calls", Use.READ),
            entry("GET /events", Use.READ),
            entry("GET /history", Use.READ),
            entry("GET /live", Use.READ),
            entry("GET /messages", Use.READ),
            entry("GET /messages/{id}", Use.READ),
            entry("GET /queue", Use.READ),
            entry("GET /todos", Use.READ),
            entry("GET /reminders", Use.READ),
            entry("DELETE /reminders/{id}", Use.WRITE),
            entry("PUT /quiet-hours", Use.WRITE),
            entry("DELETE /quiet-hours", Use.WRITE),
            entry("POST /messages", Use.MANAGE),
            entry("POST /handoff", Use.WRITE),
            entry("POST /handoff/take", Use.MANAGE),
            entry("POST /handoff/return", Use.WRITE),
            entry("GET /turns", Use.READ),
            entry("GET /turns/{id}", Use.READ),
            entry("GET /turns/{id}/feedback", Use.READ),
            entry("POST /turns/{id}/feedback", Use.READ),
            entry("DELETE /turns/{id}/feedback", Use.READ),
            entry("POST /fork", Use.READ),
            entry("POST /turns", Use.WRITE),
            entry("POST /turns/{id}/cancel", Use.WRITE),
            entry("POST /approvals/{id}", Use.WRITE),
            entry("POST /calls/{call}/result", Use.WRITE),
            entry("DELETE /queue/{turnId}", Use.WRITE),
            entry("DELETE /run", Use.WRITE),
            entry("PATCH ", Use.MANAGE),
            entry("DELETE ", Use.MANAGE),
            entry("GET /share", Use.MANAGE),
            entry("POST /share", Use.MANAGE),
            entry("DELETE /share/{id}", Use.MANAGE),
            entry("POST /archive", Use.MANAGE),
            entry("POST /reopen", Use.MANAGE),
            entry("POST /erase", Use.MANAGE),
            entry("POST /context", Use.MANAGE),
            entry("POST /messages/{id}/retry", Use.MANAGE),
            entry("POST /revert", Use.MANAGE),
            entry("POST /unrevert", Use.MANAGE),
            entry("PUT /permissions", Use.MANAGE),
            entry("GET /permissions", Use.READ),
            entry("DELETE /permissions/{id}", Use.MANAGE));

    /** For those who lead the project, by their capability. */
    static final List<String> OF_LEADERS =
            List.of("GET /turns/{id}/model-calls", "GET /turns/{id}/model-calls/{call}/{attempt}");

    private static final Map<String, Map<String, Object>> BODIES = Map.of(
            "PATCH ", Map.of("title", "mine"),
            "POST /context", Map.of("reset", "clear"),
            "POST /messages", Map.of("text", "x"),
            "PUT /permissions", Map.of("rules", List.of()));

    private SessionRoutes() {}

    /** A body that the route takes. */
    static Map<String, Object> body(String route) {
        return BODIES.getOrDefault(route, Map.of());
    }
}
