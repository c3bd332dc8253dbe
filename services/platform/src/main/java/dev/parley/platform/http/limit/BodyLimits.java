package dev.parley.platform.http.limit;

import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Public;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.http.HttpMethod;
import io.micronaut.web.router.Router;
import io.micronaut.web.router.UriRouteMatch;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Stream;

/** The limit of each route's body. */
@Singleton
public final class BodyLimits {
    private static final Set<HttpMethod> WITHOUT_BODY =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.DELETE, HttpMethod.OPTIONS, HttpMethod.TRACE);

    private final Router router;

    BodyLimits(Router router) {
        this.router = router;
    }

    /**
     * The limit of a request that has not been routed: the largest of the routes at its path, and the smallest class
     * where there is none.
     *
     * @param uri path with an optional query, as sent
     */
    BodySize of(String method, String uri) {
        HttpMethod parsed = HttpMethod.parse(method);
        Stream<UriRouteMatch<Object, Object>> routes = router.find(parsed, path(uri), null);
        return routes.map(route -> of(parsed, route.getAnnotationMetadata()))
                .max(Comparator.naturalOrder())
                .orElse(BodySize.SMALL);
    }

    /** The limit of a route. */
    public static BodySize of(HttpMethod method, AnnotationMetadata route) {
        return route.enumValue(MaxBody.class, BodySize.class)
                .orElse(
                        WITHOUT_BODY.contains(method) || route.hasAnnotation(Public.class)
                                ? BodySize.SMALL
                                : BodySize.USUAL);
    }

    /** The error of a larger body. */
    static ApiException tooLarge(BodySize size) {
        return ApiException.tooLarge("The body of this request has at most %,d bytes.".formatted(size.bytes()));
    }

    static String path(String uri) {
        int end = uri.indexOf('?');
        return end < 0 ? uri : uri.substring(0, end);
    }
}
