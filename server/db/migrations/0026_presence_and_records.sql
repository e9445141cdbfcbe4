CREATE TABLE "pet_facts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pet_facts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"pet_id" integer NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"detail" text DEFAULT '' NOT NULL,
	"added_by" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "pet_facts_kind" CHECK ("pet_facts"."kind" in ('allergy', 'medicine', 'condition'))
);
--> statement-breakpoint
CREATE TABLE "pet_weights" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pet_weights_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"pet_id" integer NOT NULL,
	"grams" integer NOT NULL,
	"on" date NOT NULL,
	"scale" boolean DEFAULT false NOT NULL,
	"added_by" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pet_weights_once" UNIQUE("pet_id","on"),
	CONSTRAINT "pet_weights_grams" CHECK ("pet_weights"."grams" > 0)
);
--> statement-breakpoint
ALTER TABLE "notes" DROP CONSTRAINT "notes_kind";--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "snoozed_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "vet_here" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "owner_seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "pet_facts" ADD CONSTRAINT "pet_facts_pet_id_pets_id_fk" FOREIGN KEY ("pet_id") REFERENCES "public"."pets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pet_facts" ADD CONSTRAINT "pet_facts_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pet_weights" ADD CONSTRAINT "pet_weights_pet_id_pets_id_fk" FOREIGN KEY ("pet_id") REFERENCES "public"."pets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pet_weights" ADD CONSTRAINT "pet_weights_added_by_users_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pet_facts_pet" ON "pet_facts" USING btree ("pet_id");--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_kind" CHECK ("notes"."kind" in ('hand_over', 'private', 'addition'));--> statement-breakpoint
DROP TRIGGER "list_changes" ON "consultations";--> statement-breakpoint
CREATE TRIGGER "list_changes" AFTER INSERT OR DELETE OR UPDATE OF
	"type", "region", "user_id", "pet_id", "vet_id", "clinic_id", "caller", "pet_issue", "outcome", "start", "vet_start", "end", "cancelled_at",
	"free_since", "mail_when_taken", "clinic_shared_at", "clinic_notified_at", "clinic_accepted_at", "demo", "urgency", "urgency_read",
	"follow_up_vet_id", "snoozed_until"
	ON "consultations" FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();
