package dev.parley.platform.health;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import java.util.List;

/** The metric {@code parley_dependency_up}: 1 for each dependency that answers, otherwise 0. */
@Context
@Requires(beans = MeterRegistry.class)
final class DependencyMeters {
    DependencyMeters(MeterRegistry registry, List<Readiness> dependencies) {
        dependencies.forEach(dependency -> registry.gauge(
                "parley_dependency_up",
                Tags.of("dependency", dependency.name()),
                dependency,
                asked -> asked.problem().isEmpty() ? 1 : 0));
    }
}
