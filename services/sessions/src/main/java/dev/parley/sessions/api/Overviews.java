package dev.parley.sessions.api;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.http.Caller;
import dev.parley.sessions.api.OverviewJson.Lag;
import dev.parley.sessions.api.OverviewRows.Count;
import dev.parley.sessions.api.OverviewRows.Sums;
import dev.parley.sessions.projection.Projector;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Assembles the overview of a project: turns, failures, model and tool use of the last 24 hours. */
@Singleton
@Requires(property = "parley.role.sessions", value = "true")
final class Overviews {
    private static final Duration PERIOD = Duration.ofHours(24);

    private final Views views;
    private final OverviewRows rows;
    private final Projector projector;

    Overviews(Views views, OverviewRows rows, Projector projector) {
        this.views = views;
        this.rows = rows;
        this.projector = projector;
    }

    /** The last 24 hours of the project, all figures from one snapshot. */
    OverviewJson of(Caller caller, Project project) {
        var lag = new Lag(
                projector.lagRecords(),
                projector.lagSeconds(),
                projector.problem().orElse(null));
        return views.read(caller.tenant(project.projectKey()), () -> overview(caller.host(), project.project(), lag));
    }

    private OverviewJson overview(UUID host, UUID project, Lag lag) {
        Instant since = Instant.now().minus(PERIOD);
        Sums sums = rows.modelCalls(host, project, since);
        return new OverviewJson(
                since,
                byName(rows.states(host, project, since)),
                byName(rows.failures(host, project, since)),
                sums.usage(),
                sums.unpriced(),
                lag,
                rows.hours(host, project, since),
                rows.models(host, project, since),
                rows.tools(host, project, since),
                rows.open(host, project),
                rows.strayApprovals(host, project));
    }

    private static Map<String, Long> byName(List<Count> counts) {
        var byName = new TreeMap<String, Long>();
        counts.forEach(count -> byName.put(count.name(), count.number()));
        return byName;
    }
}
