package dev.parley.channels.plugin;

import dev.parley.channels.contract.InboundHttp;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.http.limit.BodySize;
import io.micronaut.context.ExecutionHandleLocator;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.web.router.DefaultRouteBuilder;
import io.micronaut.web.router.UriRoute;
import jakarta.inject.Singleton;

/** The routes of channels that the other side reaches over HTTP. */
@Singleton
@Requires(property = "parley.role.channels", value = "true", beans = ParleyConfig.class)
@SuppressWarnings("overrides") // of Micronaut: arrays where its interface has variable arguments
final class InboundRoutes extends DefaultRouteBuilder {
    InboundRoutes(
            ExecutionHandleLocator methods,
            UriNamingStrategy naming,
            ConversionService conversion,
            ChannelKinds kinds) {
        super(methods, naming, conversion);
        kinds.reachable().forEach(channel -> add(channel.http()));
    }

    /** A route has one of three limits, which are applied before the body is read. */
    private static String method(int largestBody) {
        if (largestBody <= BodySize.WEBHOOK.bytes()) {
            return "receiveEvent";
        }
        return largestBody <= BodySize.DEFINITION.bytes() ? "receiveEvents" : "receiveFiles";
    }

    private void add(InboundHttp http) {
        UriRoute route = POST(
                "/" + http.path() + "/{name}",
                InboundController.class,
                method(http.largestBody()),
                String.class,
                HttpRequest.class);
        if (http.mediaTypes().isEmpty()) {
            var _ = route.consumesAll();
        } else {
            var _ = route.consumes(http.mediaTypes().stream().map(MediaType::of).toArray(MediaType[]::new));
        }
        if (http.isVerified()) {
            var _ = GET(
                    "/" + http.path() + "/{name}", InboundController.class, "verify", String.class, HttpRequest.class);
        }
    }
}
