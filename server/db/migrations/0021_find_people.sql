CREATE FUNCTION "threes"(text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT array(SELECT DISTINCT substr($1, n, 3) FROM generate_series(1, length($1) - 2) n)
$$;--> statement-breakpoint
DROP INDEX "audit_log_at";--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "extended_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "feed_runs" ADD COLUMN "content" "bytea";--> statement-breakpoint
CREATE INDEX "audit_log_user" ON "audit_log" USING btree ("user_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "mails_given_up" ON "mails" USING btree ("id") WHERE failed_at is not null;--> statement-breakpoint
CREATE INDEX "pets_threes" ON "pets" USING gin (threes(lower("name")));--> statement-breakpoint
CREATE INDEX "users_threes" ON "users" USING gin (threes(lower("first_name" || ' ' || "last_name" || chr(10) || "email" || chr(10) || regexp_replace("mobile", '[^0-9]', '', 'g'))));--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at","id");--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_extended" CHECK ("consultations"."extended_until" > "consultations"."end");