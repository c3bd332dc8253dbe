package dev.parley.channels.plugin;

import io.micronaut.context.BeanContext;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.HttpMethodMapping;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How the paths of Parley's own routes begin, which no channel may have. */
public final class OwnPaths {
    private static final String ENDPOINT = "io.micronaut.management.endpoint.annotation.Endpoint";

    private OwnPaths() {}

    /** The first segments of the paths of all controllers and endpoints of a process. */
    public static Set<String> of(BeanContext beans) {
        Stream<String> routes = beans.getBeanDefinitions(Qualifiers.byStereotype(Controller.class)).stream()
                .flatMap(OwnPaths::routes);
        Stream<String> endpoints = beans.getBeanDefinitions(Qualifiers.byStereotype(ENDPOINT)).stream()
                .flatMap(endpoint -> endpoint.stringValue(ENDPOINT).stream());
        return Stream.concat(routes, endpoints)
                .flatMap(path -> Arrays.stream(path.split("[/{?]"))
                        .filter(segment -> !segment.isEmpty())
                        .limit(1))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Stream<String> routes(BeanDefinition<?> controller) {
        String base = controller.stringValue(Controller.class).orElse("/");
        return base.equals("/") ? controller.getExecutableMethods().stream().flatMap(OwnPaths::paths) : Stream.of(base);
    }

    private static Stream<String> paths(ExecutableMethod<?, ?> method) {
        return Stream.concat(
                method.stringValue(HttpMethodMapping.class).stream(),
                Arrays.stream(method.stringValues(HttpMethodMapping.class, "uris")));
    }
}
