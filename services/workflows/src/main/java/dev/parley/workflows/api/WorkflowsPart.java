package dev.parley.workflows.api;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.archive.ProjectPart;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.Cursor;
import dev.parley.workflows.api.ProcessQueries.ProcessFilter;
import dev.parley.workflows.catalogue.DefinitionRow;
import dev.parley.workflows.catalogue.WorkflowCatalogue;
import dev.parley.workflows.catalogue.WorkflowCatalogue.Publication;
import dev.parley.workflows.catalogue.WorkflowCatalogue.Scope;
import dev.parley.workflows.definition.InvalidDefinitionException;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.process.ScheduleMachine;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The workflows in a project archive. An import publishes the project's definitions; its processes and tasks are
 * exported for reading only, and continue in the exporting installation.
 */
@Singleton
final class WorkflowsPart implements ProjectPart {
    private static final String DEFINITIONS = "definitions.json";

    /** One line per process, with its tasks. */
    private static final String PROCESSES = "processes.jsonl";

    static final int PAGE = 200;
    private static final int MAX_BYTES = 256 << 20;

    private final WorkflowCatalogue definitions;
    private final ProcessQueries processes;

    WorkflowsPart(WorkflowCatalogue definitions, ProcessQueries processes) {
        this.definitions = definitions;
        this.processes = processes;
    }

    @Override
    public String folder() {
        return "workflows";
    }

    @Override
    public Written write(Project project, UUID user, Instant time, Entries entries) throws IOException {
        var counts = new TreeMap<String, Long>();
        List<DefinitionRow> rows = all(new Scope(project.host(), project.project()));
        try (OutputStream out = entries.begin(DEFINITIONS)) {
            Json texts =
                    Json.of(rows.stream().map(row -> Json.of(row.definition())).toList());
            write(texts.toString(), out);
        }
        counts.put("workflows", (long) rows.size());
        try (OutputStream out = entries.begin(PROCESSES)) {
            counts.put("processes", processes(project, time, out));
        }
        return new Written(counts, Set.of());
    }

    private List<DefinitionRow> all(Scope scope) {
        var rows = new ArrayList<DefinitionRow>();
        @Nullable DefinitionRow last = null;
        while (true) {
            List<DefinitionRow> page = definitions.page(
                    scope,
                    null,
                    null,
                    last == null ? null : last.namespace() + ":" + last.name(),
                    last == null ? null : last.wfDefId(),
                    PAGE);
            rows.addAll(page);
            if (page.size() < PAGE) {
                return rows;
            }
            last = page.getLast();
        }
    }

    private long processes(Project project, Instant time, OutputStream out) throws IOException {
        Tenant tenant = Tenant.of(project.host());
        var filter = new ProcessFilter(null, null, null, null, null, false, null, time, Map.of(), Map.of());
        long count = 0;
        @Nullable Cursor after = null;
        while (true) {
            List<Found> page = processes.processes(tenant, project.project(), filter, after, PAGE);
            for (Found process : page) {
                writeLine(process.json(), last -> processes.tasks(tenant, process.id(), last, PAGE), out);
                count++;
            }
            if (page.size() < PAGE) {
                return count;
            }
            Found last = page.getLast();
            after = new Cursor(last.startedAt().toString(), last.id().toString());
        }
    }

    /**
     * Writes a process as a line, page by page: it can have 100,000 tasks.
     *
     * @param tasksAfter a page of its tasks, after the task with this number
     */
    static void writeLine(Json process, LongFunction<List<Json>> tasksAfter, OutputStream out) throws IOException {
        String members = process.toString();
        write(members.substring(0, members.length() - 1) + ",\"tasks\":[", out);
        long last = 0;
        List<Json> page;
        do {
            page = tasksAfter.apply(last);
            for (Json task : page) {
                write((last == 0 ? "" : ",") + task, out);
                last = Long.parseLong(task.get("order").display());
            }
        } while (page.size() == PAGE);
        write("]}\n", out);
    }

    private static void write(String text, OutputStream out) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Stream<UUID> turns(Archived from) {
        return Stream.empty();
    }

    @Override
    public List<String> read(Project project, UUID user, Names names, Archived from) throws IOException {
        var warnings = new ArrayList<String>();
        if (from.names().contains(DEFINITIONS)) {
            for (Json text : texts(from)) {
                add(new Scope(project.host(), project.project()), text.display(), user)
                        .ifPresent(warnings::add);
            }
        }
        if (from.names().contains(PROCESSES)) {
            warnings.add("processes are not imported; they can be read in workflows/" + PROCESSES + " of the archive");
        }
        return warnings;
    }

    private static List<Json> texts(Archived from) throws IOException {
        try (InputStream in = from.open(DEFINITIONS)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("workflows/" + DEFINITIONS + " of the archive is too large");
            }
            return JsonText.read(new String(bytes, StandardCharsets.UTF_8)).list();
        } catch (IllegalArgumentException e) {
            throw new IOException("workflows/" + DEFINITIONS + " of the archive cannot be read: " + e.getMessage(), e);
        }
    }

    private Optional<String> add(Scope scope, String yaml, UUID user) {
        try {
            return warning(definitions.importVersion(scope, yaml, user.toString()));
        } catch (InvalidDefinitionException e) {
            return Optional.of("workflow: " + e.getMessage());
        }
    }

    /** A warning about a definition, or empty: an import does not start schedules, which may still run elsewhere. */
    static Optional<String> warning(Publication publication) {
        return switch (publication) {
            case Publication.Published published ->
                published.row().imported() && ScheduleMachine.isScheduled(published.workflow())
                        ? Optional.of("workflow " + published.row().reference()
                                + ": its schedule starts when it is published again")
                        : Optional.empty();
            case Publication.VersionExists(String reference) ->
                Optional.of("workflow " + reference + ": the version exists with different content");
            case Publication.TooMany(int limit) ->
                Optional.of("workflows: the limit of %,d published versions is reached".formatted(limit));
        };
    }
}
