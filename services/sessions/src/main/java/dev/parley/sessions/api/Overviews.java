package dev.parley.sessions.api;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.Caller;
import dev.parley.sessions.api.OverviewJson.Lag;
import dev.parley.sessions.api.OverviewRows.Count;
import dev.parley.sessions.projection.Projector;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assembles the overview of a project: turns, failures, model and tool use of the last 24 hours. What is older than some
 * minutes is counted once and kept, so that a request counts the last minutes only, however many turns a day has. It is
 * counted anew in the background, at most once a minute and only while somebody asks: a turn of the past that ends, or
 * is erased, shows after that.
 */
@Singleton
final class Overviews {
    private static final Duration PERIOD = Duration.ofHours(24);
    /** Age from which the rows of a minute seldom change. */
    private static final Duration SETTLED = Duration.ofMinutes(2);

    private static final Duration MAX_AGE = Duration.ofMinutes(1);
    private static final int MAX_PROJECTS = 64;

    private record ProjectKey(UUID host, UUID project) {}

    /** @param nanoTime when the minutes were counted */
    private record Counted(OverviewMinutes minutes, long nanoTime) {
        boolean isOld() {
            return System.nanoTime() - nanoTime > MAX_AGE.toNanos();
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(Overviews.class);

    private final Views views;
    private final OverviewRows rows;
    private final Projector projector;
    private final Map<ProjectKey, Counted> counted = new BoundedMap<>(MAX_PROJECTS);
    private final Set<ProjectKey> counting = ConcurrentHashMap.newKeySet();

    Overviews(Views views, OverviewRows rows, Projector projector) {
        this.views = views;
        this.rows = rows;
        this.projector = projector;
    }

    /** The last 24 hours of the project. */
    OverviewJson of(Caller caller, Project project) {
        var lag = new Lag(
                projector.lagRecords(),
                projector.lagSeconds(),
                projector.problem().orElse(null));
        Tenant tenant = caller.tenant(project.projectKey());
        var key = new ProjectKey(caller.host(), project.project());
        OverviewMinutes past = past(tenant, key);
        return views.read(tenant, () -> overview(key, past, lag));
    }

    private OverviewJson overview(ProjectKey key, OverviewMinutes past, Lag lag) {
        Instant since = Instant.now().minus(PERIOD).truncatedTo(ChronoUnit.MINUTES);
        var figures = new OverviewFigures();
        past.addTo(figures, since, past.to());
        count(key, past.to(), Instant.now().plus(PERIOD)).addTo(figures, past.to(), Instant.MAX);
        return new OverviewJson(
                since,
                byState(figures.ended(), rows.openStates(key.host(), key.project())),
                figures.failures(),
                figures.usage(),
                figures.unpriced(),
                lag,
                figures.hours(),
                figures.models(),
                figures.tools(),
                rows.open(key.host(), key.project()),
                rows.strayApprovals(key.host(), key.project()));
    }

    private static Map<String, Long> byState(Map<String, Long> ended, List<Count> open) {
        var byState = new TreeMap<>(ended);
        open.forEach(count -> byState.merge(count.name(), count.number(), Long::sum));
        return byState;
    }

    /** The settled minutes of the period, as they were counted some time ago. */
    private OverviewMinutes past(Tenant tenant, ProjectKey key) {
        Counted known = known(key);
        if (known == null) {
            return countPast(tenant, key);
        }
        if (known.isOld() && counting.add(key)) {
            Thread.ofVirtual().name("overview").start(() -> {
                try {
                    countPast(tenant, key);
                } catch (RuntimeException e) {
                    LOG.atWarn().setCause(e).log("the figures of a project could not be counted; retrying");
                } finally {
                    counting.remove(key);
                }
            });
        }
        return known.minutes();
    }

    private OverviewMinutes countPast(Tenant tenant, ProjectKey key) {
        Instant end = Instant.now()
                .minus(SETTLED)
                .minus(Duration.ofSeconds((long) projector.lagSeconds()))
                .truncatedTo(ChronoUnit.MINUTES);
        OverviewMinutes past = views.read(tenant, () -> count(key, end.minus(PERIOD), end));
        synchronized (counted) {
            counted.put(key, new Counted(past, System.nanoTime()));
        }
        return past;
    }

    private @Nullable Counted known(ProjectKey key) {
        synchronized (counted) {
            return counted.get(key);
        }
    }

    private OverviewMinutes count(ProjectKey key, Instant from, Instant to) {
        return new OverviewMinutes(
                to,
                rows.turns(key.host(), key.project(), from, to),
                rows.calls(key.host(), key.project(), from, to),
                rows.tools(key.host(), key.project(), from, to));
    }
}
