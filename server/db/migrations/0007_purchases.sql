ALTER TABLE "refunds" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "refunds" CASCADE;--> statement-breakpoint
ALTER TABLE "purchases" DROP CONSTRAINT "purchases_amount";--> statement-breakpoint
ALTER TABLE "purchases" DROP COLUMN "refunded_amount";--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_amount" CHECK ("purchases"."amount" >= 0);--> statement-breakpoint
CREATE TABLE "ledger" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"amount" integer NOT NULL,
	"currency" text NOT NULL,
	"region" text NOT NULL,
	"what" text NOT NULL,
	"user_id" integer,
	"purchase_id" integer,
	"subscription_id" integer,
	"consultation_id" integer,
	"charge_id" integer,
	"stripe_id" text NOT NULL,
	CONSTRAINT "ledger_stripeId_unique" UNIQUE("stripe_id"),
	CONSTRAINT "ledger_kind" CHECK ("ledger"."kind" in ('charge', 'refund')),
	CONSTRAINT "ledger_what" CHECK ("ledger"."what" in ('consult', 'membership', 'renewal')),
	CONSTRAINT "ledger_currency" CHECK ("ledger"."currency" in ('zar', 'aud')),
	CONSTRAINT "ledger_region" CHECK ("ledger"."region" in ('za', 'au')),
	CONSTRAINT "ledger_direction" CHECK (case "ledger"."kind" when 'charge' then "ledger"."amount" > 0 and "ledger"."charge_id" is null else "ledger"."amount" < 0 and "ledger"."charge_id" is not null end),
	CONSTRAINT "ledger_for_something" CHECK ("ledger"."purchase_id" is not null or "ledger"."subscription_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "list_changes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "list_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "refunds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"charge_id" integer NOT NULL,
	"amount" integer NOT NULL,
	"why" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"by_user_id" integer,
	"idempotency_key" text NOT NULL,
	"stripe_refund" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "refunds_idempotencyKey_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "refunds_stripeRefund_unique" UNIQUE("stripe_refund"),
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount" > 0),
	CONSTRAINT "refunds_why" CHECK ("refunds"."why" in ('cancelled', 'late', 'by_us')),
	CONSTRAINT "refunds_by" CHECK (("refunds"."why" = 'by_us') = ("refunds"."by_user_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "spent" (
	"key_hash" text PRIMARY KEY NOT NULL,
	"forget_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "coupons_code";--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "check_in" text;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "check_in_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "goes_on_from" integer;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "told_from" smallint;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "told_to" smallint;--> statement-breakpoint
ALTER TABLE "coupons" ADD COLUMN "plan" text;--> statement-breakpoint
ALTER TABLE "coupons" ADD COLUMN "consultation_id" integer;--> statement-breakpoint
ALTER TABLE "pets" ADD COLUMN "added_key" text;--> statement-breakpoint
ALTER TABLE "pets" ADD COLUMN "added_payload" text;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "card_fingerprint" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "discount" jsonb;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger" ADD CONSTRAINT "ledger_charge_id_ledger_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."ledger"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_charge_id_ledger_id_fk" FOREIGN KEY ("charge_id") REFERENCES "public"."ledger"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_by_user_id_users_id_fk" FOREIGN KEY ("by_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ledger_user" ON "ledger" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "ledger_purchase" ON "ledger" USING btree ("purchase_id");--> statement-breakpoint
CREATE INDEX "ledger_subscription" ON "ledger" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "ledger_charge" ON "ledger" USING btree ("charge_id");--> statement-breakpoint
CREATE INDEX "ledger_at" ON "ledger" USING btree ("at");--> statement-breakpoint
CREATE INDEX "refunds_charge" ON "refunds" USING btree ("charge_id");--> statement-breakpoint
CREATE INDEX "refunds_due" ON "refunds" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_by_itself_once" ON "refunds" USING btree ("charge_id") WHERE by_user_id is null;--> statement-breakpoint
CREATE INDEX "spent_forget" ON "spent" USING btree ("forget_at");--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_goes_on_from_consultations_id_fk" FOREIGN KEY ("goes_on_from") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "coupons_code_za" ON "coupons" USING btree (lower("code")) WHERE deleted_at is null and coalesce(region, 'za') = 'za';--> statement-breakpoint
CREATE UNIQUE INDEX "coupons_code_au" ON "coupons" USING btree (lower("code")) WHERE deleted_at is null and coalesce(region, 'au') = 'au';--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_goesOnFrom_unique" UNIQUE("goes_on_from");--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_consultationId_unique" UNIQUE("consultation_id");--> statement-breakpoint
ALTER TABLE "pets" ADD CONSTRAINT "pets_addedKey_unique" UNIQUE("added_key");--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_check_in" CHECK ("consultations"."check_in" in ('better', 'same', 'worse'));--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_told" CHECK (("consultations"."told_from" is null) = ("consultations"."told_to" is null));--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_personal" CHECK ("coupons"."consultation_id" is null or "coupons"."user_id" is not null);--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_plan" CHECK ("coupons"."plan" in ('annual', 'monthly'));--> statement-breakpoint
CREATE FUNCTION count_list_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "list_changes" SET "count" = "count" + 1
	WHERE "id" = (SELECT "id" FROM "list_changes" LIMIT 1 FOR UPDATE SKIP LOCKED);
	IF NOT FOUND THEN
		INSERT INTO "list_changes" ("count") VALUES (1);
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "list_changes" AFTER INSERT OR DELETE OR UPDATE OF
	"type", "region", "user_id", "pet_id", "vet_id", "clinic_id", "caller", "pet_issue", "outcome", "start", "vet_start", "end", "cancelled_at",
	"free_since", "mail_when_taken", "clinic_shared_at", "clinic_notified_at", "clinic_accepted_at", "demo"
	ON "consultations" FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();--> statement-breakpoint
CREATE TRIGGER "list_changes" AFTER INSERT OR UPDATE OR DELETE ON "summaries" FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();--> statement-breakpoint
CREATE TRIGGER "list_changes" AFTER UPDATE OF "name", "species_id" ON "pets" FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();--> statement-breakpoint
CREATE TRIGGER "list_changes" AFTER UPDATE OF "type", "first_name", "last_name", "email" ON "users" FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();--> statement-breakpoint
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
