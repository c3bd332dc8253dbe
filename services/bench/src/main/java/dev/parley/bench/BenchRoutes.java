package dev.parley.bench;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Public;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.swagger.v3.oas.annotations.Hidden;

/** Two routes without work, one of which authenticates its caller. Only benchmarks serve them. */
@Hidden
@Controller("/bench")
@Produces(MediaType.TEXT_PLAIN)
@Requires(property = BenchRoutes.PROPERTY, value = "true")
class BenchRoutes {
    /** The property that enables the routes. */
    static final String PROPERTY = "parley.bench.routes";

    /** Without authentication. */
    @Public
    @Get("/open/{project}")
    String open(@PathVariable String project) {
        return project;
    }

    /** With authentication and a capability. */
    @RequiresCapability(Capability.SESSION_READ)
    @Get("/guarded/{project}")
    String guarded(@PathVariable String project) {
        return project;
    }
}
