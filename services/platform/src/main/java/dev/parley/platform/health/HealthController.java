package dev.parley.platform.health;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.platform.http.Public;
import dev.parley.platform.service.Service;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Liveness and readiness endpoints. */
@Public
@Controller("/health")
@Tag(name = "Health", description = "Liveness and readiness of a process.")
class HealthController {
    private final List<Service> services;
    private final List<Readiness> dependencies;

    HealthController(List<Service> services, List<Readiness> dependencies) {
        this.services = services;
        this.dependencies = dependencies;
    }

    /** The state of the process. */
    @Serdeable
    record Health(String status, Map<String, Part> parts) {}

    /**
     * The state of a part: {@code UP}, {@code MOVING} if it accepts requests but is temporarily slow, or {@code DOWN}.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Part(
            String status,
            @Nullable String problem,
            @Nullable String moving) {
        static Part of(Optional<String> problem, Optional<String> moving) {
            if (problem.isPresent()) {
                return new Part("DOWN", problem.get(), null);
            }
            return new Part(moving.isPresent() ? "MOVING" : "UP", null, moving.orElse(null));
        }
    }

    /** Check liveness. Answers 200 as long as the process can respond at all. */
    @Get("/live")
    Map<String, String> live() {
        return Map.of("status", "UP");
    }

    /**
     * Check readiness. Answers 200 if everything that the process needs to handle requests works, otherwise 503. The
     * body names each part with its status: UP, MOVING or DOWN. A topology whose partitions are being handed over or
     * restored is MOVING: it accepts requests, but answers some of them later.
     */
    @Get("/ready")
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<Health> ready() {
        var parts = new TreeMap<String, Part>();
        services.forEach(service -> parts.put(service.name(), Part.of(service.problem(), service.moving())));
        dependencies.forEach(
                dependency -> parts.put(dependency.name(), Part.of(dependency.problem(), Optional.empty())));
        boolean up = parts.values().stream().allMatch(part -> part.problem() == null);
        return HttpResponse.<Health>status(up ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
                .body(new Health(up ? "UP" : "DOWN", parts));
    }
}
