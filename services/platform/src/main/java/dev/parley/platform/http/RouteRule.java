package dev.parley.platform.http;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.network.Network;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.value.PropertyResolver;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.rules.SecurityRule;
import io.micronaut.security.rules.SecurityRuleResult;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteMatch;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * Authorises requests by the annotation of their route: {@link Public}, {@link Authenticated} or {@link
 * RequiresCapability}. Routes without one are for administrators.
 */
@Singleton
@Requires(property = "parley.admin-key")
final class RouteRule implements SecurityRule<HttpRequest<?>> {
    private static final String METRICS = "/prometheus";

    private final boolean loopback;
    private final PropertyResolver settings;

    RouteRule(
            @Value("${parley.bind:127.0.0.1}") String bind,
            @Value("${parley.url:}") String url,
            PropertyResolver settings) {
        this.settings = settings;
        this.loopback = Network.isLoopback(bind, url);
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Publisher<SecurityRuleResult> check(
            @Nullable HttpRequest<?> request, @Nullable Authentication authentication) {
        if (request == null) {
            return Publishers.just(SecurityRuleResult.REJECTED);
        }
        try {
            Optional<RouteMatch<?>> route = RouteAttributes.getRouteMatch(request);
            if (isOpen(request, route)) {
                return Publishers.just(SecurityRuleResult.ALLOWED);
            }
            if (!(authentication instanceof Caller caller)) {
                return Publishers.just(SecurityRuleResult.REJECTED);
            }
            route.ifPresent(match -> check(caller, match));
            return Publishers.just(SecurityRuleResult.ALLOWED);
        } catch (ApiException e) {
            return Publishers.just(e);
        }
    }

    private boolean isOpen(HttpRequest<?> request, Optional<RouteMatch<?>> route) {
        return route.filter(match -> isPublic(match.getAnnotationMetadata())).isPresent()
                || (loopback && request.getPath().equals(METRICS));
    }

    private boolean isPublic(AnnotationMetadata route) {
        return route.hasAnnotation(Public.class)
                && route.stringValue(Public.class, "setting")
                        .filter(setting -> !setting.isEmpty())
                        .map(setting -> settings.getProperty(setting, Boolean.class, false))
                        .orElse(true);
    }

    private static Optional<Capability> inHost(AnnotationMetadata route) {
        return Arrays.stream(route.enumValues(RequiresCapability.class, "inHost", Capability.class))
                .findFirst();
    }

    private static void check(Caller caller, RouteMatch<?> route) {
        AnnotationMetadata annotations = route.getAnnotationMetadata();
        Optional<Capability> capability = annotations.enumValue(RequiresCapability.class, Capability.class);
        if (capability.isPresent()) {
            Object project = route.getVariableValues().get("project");
            if (project == null) {
                caller.requireThere(inHost(annotations).orElse(capability.get()), null);
            } else {
                caller.requireThere(capability.get(), project.toString());
            }
        } else if (!annotations.hasAnnotation(Authenticated.class) && !caller.administers()) {
            throw new ApiException(HttpStatus.FORBIDDEN, "forbidden", "Only administrators may do this.");
        }
    }
}
