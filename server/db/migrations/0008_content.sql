-- Every instance hears that what public pages show has changed, whoever changed it.
CREATE FUNCTION "tell_content"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('content', '');
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "resources_tell_content" AFTER INSERT OR UPDATE OR DELETE ON "resources" FOR EACH STATEMENT EXECUTE FUNCTION "tell_content"();--> statement-breakpoint
CREATE TRIGGER "testimonials_tell_content" AFTER INSERT OR UPDATE OR DELETE ON "testimonials" FOR EACH STATEMENT EXECUTE FUNCTION "tell_content"();--> statement-breakpoint
CREATE TRIGGER "partners_tell_content" AFTER INSERT OR UPDATE OR DELETE ON "partners" FOR EACH STATEMENT EXECUTE FUNCTION "tell_content"();--> statement-breakpoint
CREATE TRIGGER "settings_tell_content" AFTER INSERT OR UPDATE ON "settings" FOR EACH ROW WHEN (NEW."key" LIKE 'announcement%') EXECUTE FUNCTION "tell_content"();--> statement-breakpoint
CREATE TRIGGER "settings_gone_tell_content" AFTER DELETE ON "settings" FOR EACH ROW WHEN (OLD."key" LIKE 'announcement%') EXECUTE FUNCTION "tell_content"();
